package eval

const (
	bojanic = "Bojanić, Bartol, Pribanić, Petković, Donoso, Mas, On the Comparison of Classic and Deep Keypoint Detector and Descriptor Methods, ISPA 2019"
	fewer   = "across runs with other seeds, numbers of distractors or scenes: all of them change it"
)

// taskMetrics are those of package tasks. AP is the non-interpolated sum of
// precision × rise of recall, equal distances together.
var taskMetrics = []Definition{
	{
		Name: "keypoint_verification_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "AP of all true pairs of a scene among all its other pairs and the distractors, pooled by distance; mean over scenes",
		Source: workbench,
		Use:    "to see whether one threshold of distance serves all queries of a scene",
		Avoid:  "for keypoint sets of different sizes: the pairs grow with the square; " + fewer,
	},
	{
		Name: "verification_viewpoint_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What: "keypoint_verification_ap over the scenes with changes of viewpoint (v_)", Source: workbench,
		Use: "as keypoint_verification_ap", Avoid: fewer,
	},
	{
		Name: "verification_illumination_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What: "keypoint_verification_ap over the scenes with changes of illumination (i_)", Source: workbench,
		Use: "as keypoint_verification_ap", Avoid: fewer,
	},
	{
		Name: "keypoint_retrieval_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "AP of a query's truths in all targets among the other keypoints of these images (unless ignored) and the distractors; mean over queries with a truth",
		Source: workbench,
		Use:    "to judge retrieval from all images of a scene at once",
		Avoid:  "for keypoint sets of different sizes; " + fewer,
	},
	{
		Name: "retrieval_viewpoint_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What: "keypoint_retrieval_ap over the scenes with changes of viewpoint (v_)", Source: workbench,
		Use: "as keypoint_retrieval_ap", Avoid: fewer,
	},
	{
		Name: "retrieval_illumination_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What: "keypoint_retrieval_ap over the scenes with changes of illumination (i_)", Source: workbench,
		Use: "as keypoint_retrieval_ap", Avoid: fewer,
	},
	{
		Name: "retrieval_num_true_positives", Group: "tasks", Range: "0 and more",
		What: "number of candidates that are a query's truth", Source: workbench,
		Use: "beside the two APs", Avoid: "as a measure of quality",
	},
	{
		Name: "retrieval_num_hard_negatives", Group: "tasks", Range: "0 and more",
		What: "number of candidates that are other keypoints of the query's scene", Source: workbench,
		Use: "beside the two APs", Avoid: "as a measure of quality",
	},
	{
		Name: "retrieval_num_distractors", Group: "tasks", Range: "0 and more",
		What: "number of candidates that come from other scenes", Source: workbench,
		Use: "beside the two APs", Avoid: "as a measure of quality",
	},
	{
		Name: "bojanic_matching_map", Group: "tasks", Range: asShare, Better: "higher",
		What:   "AP of an image pair's nearest neighbours by distance, correct if no candidate is nearer to the projected keypoint; mean over pairs with a correct match",
		Source: bojanic,
		Use:    "to compare with that study; raw distances, n keypoints per scene that stay in every image",
		Avoid:  "as an exact figure: n random keypoints are few, see the …_std over the repetitions",
	},
	{
		Name: "bojanic_verification_ap", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "AP of the labelled matches of all scenes together with each keypoint's nearest neighbours in images of other scenes",
		Source: bojanic,
		Use:    "to see whether one threshold of distance serves all scenes", Avoid: fewer,
	},
	{
		Name: "bojanic_retrieval_map", Group: "tasks", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "AP of the candidates nearest to a keypoint's projections among its nearest neighbours in n keypoints of each other scene's image; mean over keypoints",
		Source: bojanic,
		Use:    "to see how descriptors tell a point from other pictures", Avoid: fewer,
	},
	{
		Name: "bojanic_matching_viewpoint_map", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_matching_map over the scenes with changes of viewpoint (v_)", Source: bojanic,
		Use: "as bojanic_matching_map", Avoid: fewer,
	},
	{
		Name: "bojanic_verification_viewpoint_ap", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_verification_ap over the scenes with changes of viewpoint (v_)", Source: bojanic,
		Use: "as bojanic_verification_ap", Avoid: fewer,
	},
	{
		Name: "bojanic_retrieval_viewpoint_map", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_retrieval_map over the scenes with changes of viewpoint (v_)", Source: bojanic,
		Use: "as bojanic_retrieval_map", Avoid: fewer,
	},
	{
		Name: "bojanic_matching_illumination_map", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_matching_map over the scenes with changes of illumination (i_)", Source: bojanic,
		Use: "as bojanic_matching_map", Avoid: fewer,
	},
	{
		Name: "bojanic_verification_illumination_ap", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_verification_ap over the scenes with changes of illumination (i_)", Source: bojanic,
		Use: "as bojanic_verification_ap", Avoid: fewer,
	},
	{
		Name: "bojanic_retrieval_illumination_map", Group: "tasks", Range: asShare, Better: "higher",
		What: "bojanic_retrieval_map over the scenes with changes of illumination (i_)", Source: bojanic,
		Use: "as bojanic_retrieval_map", Avoid: fewer,
	},
}
