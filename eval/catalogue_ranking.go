package eval

// What several definitions say.
const (
	asShare     = "0 to 1"
	workbench   = "DescriptorWorkbench (github.com/F-Sossi/DescriptorWorkbench)"
	reciprocal  = "mean reciprocal rank: Voorhees, The TREC-8 Question Answering Track Report, 1999"
	feret       = "Phillips, Moon, Rizvi, Rauss, The FERET Evaluation Methodology, PAMI 2000"
	sizeMatters = "for keypoint sets of different sizes without coverage and gallery size beside it: a smaller gallery is easier"
)

// rankingMetrics are those of an Accumulator. A query is processed if image k
// has a keypoint within the tolerance of its projection, the truth; its average
// precision (AP) is 1 / rank of the truth among all keypoints of image k by
// descriptor distance, ties in the middle unless the run says otherwise.
var rankingMetrics = []Definition{
	{
		Name: "true_map_micro", Also: "mAP micro, micro", Group: "ranking", Range: "above 0 to 1; by chance about ln(gallery) / gallery", Better: "higher",
		What:   "mean over all processed queries of AP = 1 / rank of the truth among all keypoints of image k",
		Source: reciprocal + "; " + workbench,
		Use:    "to compare with published micro figures",
		Avoid:  "to compare descriptors with each other: scenes with many keypoints decide it; " + sizeMatters,
	},
	{
		Name: "true_map_macro_by_scene", Also: "true_map_macro, macro", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "mean over scenes of the scene's mean AP; scenes without processed queries are left out",
		Source: workbench,
		Use:    "as the main figure: every scene counts once, and intervals and tests are about it",
		Avoid:  sizeMatters,
	},
	{
		Name: "viewpoint_map", Also: "viewpoint", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "true_map_macro_by_scene over the scenes with changes of viewpoint (v_)",
		Source: workbench + "; categories: Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017",
		Use:    "to see how a descriptor bears perspective, scale and rotation",
		Avoid:  "as a figure of the whole data set",
	},
	{
		Name: "viewpoint_map_micro", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "true_map_micro over the scenes with changes of viewpoint (v_)",
		Source: workbench,
		Use:    "beside viewpoint_map, to see whether large scenes differ from small ones",
		Avoid:  "for tests: queries of a scene are not independent",
	},
	{
		Name: "illumination_map", Also: "illumination, illumin.", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "true_map_macro_by_scene over the scenes with changes of light (i_)",
		Source: workbench + "; categories: Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017",
		Use:    "to see how a descriptor bears light and shadow; the camera does not move there",
		Avoid:  "as a figure of the whole data set",
	},
	{
		Name: "illumination_map_micro", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "true_map_micro over the scenes with changes of light (i_)",
		Source: workbench,
		Use:    "beside illumination_map, to see whether large scenes differ from small ones",
		Avoid:  "for tests: queries of a scene are not independent",
	},
	{
		Name: "true_map_micro_including_zeros", Also: "with zeros", Group: "ranking", Range: asShare, Better: "higher",
		What:   "sum of AP over all queries, those without a truth counting 0, by their number: true_map_micro × coverage",
		Source: workbench,
		Use:    "to judge detector and descriptor together: a detector that does not find points again pays",
		Avoid:  "to judge the descriptor alone: it falls with coverage",
	},
	{
		Name: "true_map_macro_by_scene_including_zeros", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's mean AP, queries without a truth counting 0; scenes without queries are left out",
		Source: workbench,
		Use:    "as true_map_micro_including_zeros, every scene counting once",
		Avoid:  "to judge the descriptor alone: it falls with coverage",
	},
	{
		Name: "viewpoint_map_including_zeros", Group: "ranking", Range: asShare, Better: "higher",
		What:   "true_map_macro_by_scene_including_zeros over the scenes with changes of viewpoint (v_)",
		Source: workbench,
		Use:    "to judge detector and descriptor together under changes of viewpoint",
		Avoid:  "to judge the descriptor alone: it falls with coverage",
	},
	{
		Name: "illumination_map_including_zeros", Group: "ranking", Range: asShare, Better: "higher",
		What:   "true_map_macro_by_scene_including_zeros over the scenes with changes of light (i_)",
		Source: workbench,
		Use:    "to judge detector and descriptor together under changes of light",
		Avoid:  "to judge the descriptor alone: it falls with coverage",
	},
	{
		Name: "mean_precision", Also: "legacy_mean_precision", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of all queries whose nearest neighbour lies within the tolerance of their projection",
		Source: "Mikolajczyk, Schmid, A Performance Evaluation of Local Descriptors, PAMI 2005 (matching to the nearest neighbour); " + workbench,
		Use:    "to know how many matches are right without any test of them",
		Avoid:  "across detectors: queries that have no counterpart in image k cannot be right",
	},
	{
		Name: "legacy_macro_precision_by_scene", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's mean_precision",
		Source: workbench,
		Use:    "to compare with older results of that program",
		Avoid:  "for new work: true_map_macro_by_scene says more",
	},
	{
		Name: "precision_at_K", Also: "hit@K", Group: "ranking", Range: asShare, Better: "higher",
		What:   "share of the processed queries with rank ≤ K, a hit rate; half ranks count as the next whole one",
		Source: feret,
		Use:    "when K candidates are looked at afterwards; with K = 1 it is how often the truth is the nearest neighbour",
		Avoid:  "as precision in the sense of retrieval: with one right answer that would be at most 1 / K; " + sizeMatters,
	},
	{
		Name: "recall_at_K", Group: "ranking", Range: asShare, Better: "higher",
		What:   "the same as precision_at_K, since every query has one right answer",
		Source: feret,
		Use:    "under the name that fits better",
		Avoid:  "beside precision_at_K as if it said something else",
	},
	{
		Name: "mrr@K", Also: "mean_reciprocal_rank@K", Group: "ranking", Range: "above 0 to 1; by chance about ln(gallery) / gallery", Better: "higher",
		What:   "mean of 1 / rank over the queries with a truth within K px, whatever the tolerance of the run; K is 1, 2, 3, 5 or 10",
		Source: reciprocal,
		Use:    "to see how figures depend on the tolerance: mrr@K is the true_map_micro of a run with tolerance K",
		Avoid:  "at two K as if on the same queries: a larger K adds queries, whose truths are farther off",
	},
	{
		Name: "coverage", Group: "ranking", Range: asShare, Better: "higher",
		What:   "share of all queries that have a truth within the tolerance in image k: what the means of AP are about",
		Source: workbench,
		Use:    "beside every mean AP; it is a figure of the keypoints, not of the descriptor",
		Avoid:  "to compare descriptors on the same keypoints: it is the same for all",
	},
	{
		Name: "mean_gallery_size", Also: "gallery", Group: "ranking", Range: "1 and more",
		What:   "mean over the processed queries of the number of candidates in image k",
		Source: "descriptive",
		Use:    "beside every mean AP: the larger the gallery the lower the rank by chance",
		Avoid:  "as a measure of quality",
	},
	{
		Name: "fixed_gallery_map", Group: "ranking", Range: "above 0 to 1; by chance about ln(n) / n", Better: "higher",
		What:   "mean AP of the processed queries, each ranked among its truth and n - 1 candidates of the same image drawn at random (n = 500)",
		Source: reciprocal + "; galleries of one size, drawn for each query",
		Use:    "to compare keypoint sets of different sizes",
		Avoid:  "where fixed_gallery_pairs_left_out is not 0 for some of the sets: they are not judged on the same pairs",
	},
	{
		Name: "fixed_gallery_map_macro_by_scene", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "mean over scenes of the scene's fixed_gallery_map",
		Source: reciprocal,
		Use:    "as fixed_gallery_map, with every scene counting once",
		Avoid:  "as fixed_gallery_map",
	},
	{
		Name: "fixed_gallery_queries", Group: "ranking", Range: "0 and more",
		What: "number of processed queries that have a fixed gallery", Source: "descriptive",
		Use: "beside fixed_gallery_map", Avoid: "as a measure of quality",
	},
	{
		Name: "fixed_gallery_pairs_left_out", Group: "ranking", Range: "0 and more",
		What: "number of image pairs with processed queries but fewer candidates than a gallery takes", Source: "descriptive",
		Use: "beside fixed_gallery_map", Avoid: "as a measure of quality",
	},
	{
		Name: "total_queries_processed", Group: "ranking", Range: "0 and more",
		What:   "number of queries with a truth, summed over image pairs",
		Source: workbench,
		Use:    "to know what stands behind a mean",
		Avoid:  "as a measure of quality",
	},
	{
		Name: "total_queries_excluded", Group: "ranking", Range: "0 and more",
		What:   "number of queries without a truth, summed over image pairs",
		Source: workbench,
		Use:    "to know what a mean is not about",
		Avoid:  "as a measure of quality",
	},
	{
		Name: "total_matches", Group: "ranking", Range: "0 and more",
		What:   "number of queries that have a nearest neighbour, summed over image pairs",
		Source: workbench,
		Use:    "to see how many rows could be compared at all",
		Avoid:  "as a measure of quality: a nearest neighbour need not be right",
	},
	{
		Name: "total_keypoints", Also: "keypoints", Group: "ranking", Range: "0 and more",
		What:   "number of keypoints of all images",
		Source: workbench,
		Use:    "to compare sets of keypoints in size",
		Avoid:  "as a measure of quality",
	},
	{
		Name: "total_invalid_rows", Group: "ranking", Range: "0 and more", Better: "lower",
		What:   "number of descriptor rows that describe nothing: not finite, of norm 0, or of a keypoint that could not be described",
		Source: "descriptive",
		Use:    "to see whether a descriptor fails on some keypoints; such queries get the last rank",
		Avoid:  "as a measure of quality where it is 0",
	},
}
