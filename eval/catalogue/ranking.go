package catalogue

// Texts shared by several definitions.
const (
	asShare     = "0 to 1"
	workbench   = "DescriptorWorkbench (github.com/F-Sossi/DescriptorWorkbench)"
	reciprocal  = "mean reciprocal rank: Voorhees, The TREC-8 Question Answering Track Report, 1999"
	feret       = "Phillips, Moon, Rizvi, Rauss, The FERET Evaluation Methodology, PAMI 2000"
	categories  = "categories: Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017"
	undetected  = ". An image pair whose image 1 has no keypoints counts as 0, with as many queries as the other pairs of the run have on average"
	sizeMatters = "for keypoint sets of different sizes without coverage and gallery size: a smaller gallery is easier"
	noQuality   = "as a measure of quality"
	notAlone    = "for judging the descriptor separately: it falls with coverage"
	notWhole    = "as a result for the whole data set"
	dependent   = "for significance tests: queries of one scene are not independent"
)

// rankingMetrics are the metrics of a ranking.Accumulator. A query is processed if
// image k has a keypoint within the tolerance of the projected query. The nearest
// such keypoint is the ground truth. The average precision (AP) of the query is
// 1 / rank of the ground truth among all keypoints of image k by descriptor
// distance. Ties get their mean rank unless the run's config sets another rule.
var rankingMetrics = []Definition{
	{
		Name: MicroMAP, Short: "map", Also: "map_micro, mAP micro, micro", Of: Ranks, Group: "ranking", Range: "above 0 to 1; chance level about ln(gallery) / gallery", Better: "higher",
		Paper:  "mean AP over queries",
		What:   "mean AP over all processed queries; AP = 1 / rank of the ground truth among all keypoints of image k. Keypoints at the same descriptor distance as the ground truth add half a rank each, unless evaluation.ties says otherwise",
		Source: reciprocal + "; " + workbench,
		Use:    "to compare with published micro mAP",
		Avoid:  "for comparing descriptors: scenes with many keypoints dominate it; " + sizeMatters,
	},
	{
		Name: MAP, Short: "map_macro", Also: "true_map_macro, mean_average_precision, mAP macro, macro", Of: Ranks, Scene: MicroMAP, Group: "ranking", Range: "above 0 to 1", Better: "higher",
		Paper:  "mean AP by scene",
		What:   "mean over scenes of the scene's mean AP; scenes without processed queries are left out",
		Source: workbench,
		Use:    "as the main metric: every scene has equal weight, as in intervals and significance tests",
		Avoid:  sizeMatters,
	},
	{
		Name: "viewpoint_map", Also: "viewpoint", Of: Ranks, Category: "viewpoint", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		Paper:  "mean AP by viewpoint scene",
		What:   "map_macro over the scenes with viewpoint changes (v_)",
		Source: workbench + "; " + categories,
		Use:    "to see how robust a descriptor is to perspective, scale and rotation",
		Avoid:  notWhole,
	},
	{
		Name: "viewpoint_map_micro", Paper: "viewpoint mAP micro", Of: Ranks, Category: "viewpoint", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "map over the scenes with viewpoint changes (v_)",
		Source: workbench,
		Use:    "next to viewpoint_map, to see whether large scenes differ from small ones",
		Avoid:  dependent,
	},
	{
		Name: "illumination_map", Also: "illumination, illumin.", Of: Ranks, Category: "illumination", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		Paper:  "mean AP by illumination scene",
		What:   "map_macro over the scenes with illumination changes (i_)",
		Source: workbench + "; " + categories,
		Use:    "to see how robust a descriptor is to light and shadow; the camera does not move in these scenes",
		Avoid:  notWhole,
	},
	{
		Name: "illumination_map_micro", Paper: "illumination mAP micro", Of: Ranks, Category: "illumination", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "map over the scenes with illumination changes (i_)",
		Source: workbench,
		Use:    "next to illumination_map, to see whether large scenes differ from small ones",
		Avoid:  dependent,
	},
	{
		Name: "true_map_micro_including_zeros", Short: "map_including_zeros", Also: "with zeros", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		Paper:  "mean AP over queries, 0 without ground truth",
		What:   "mean AP over all queries; a query without a ground truth counts as 0: map × coverage" + undetected,
		Source: workbench,
		Use:    "to judge detector and descriptor together: low repeatability is penalised",
		Avoid:  notAlone,
	},
	{
		Name: "true_map_macro_by_scene_including_zeros", Short: "map_macro_including_zeros", Paper: "true mAP macro by scene including zeros", Of: Ranks, Scene: "true_map_micro_including_zeros", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's mean AP; a query without a ground truth counts as 0, and so does a scene whose image 1 has no keypoints",
		Source: workbench,
		Use:    "like map_including_zeros, with equal weight for every scene",
		Avoid:  notAlone,
	},
	{
		Name: "viewpoint_map_including_zeros", Paper: "viewpoint mAP including zeros", Of: Ranks, Category: "viewpoint", Group: "ranking", Range: asShare, Better: "higher",
		What:   "map_macro_including_zeros over the scenes with viewpoint changes (v_)",
		Source: workbench,
		Use:    "to judge detector and descriptor together under viewpoint changes",
		Avoid:  notAlone,
	},
	{
		Name: "illumination_map_including_zeros", Paper: "illumination mAP including zeros", Of: Ranks, Category: "illumination", Group: "ranking", Range: asShare, Better: "higher",
		What:   "map_macro_including_zeros over the scenes with illumination changes (i_)",
		Source: workbench,
		Use:    "to judge detector and descriptor together under illumination changes",
		Avoid:  notAlone,
	},
	{
		Name: "true_map_micro_including_invalid", Short: "map_including_invalid", Paper: "true mAP micro including invalid", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		What:   "map in which queries with an invalid descriptor, their own or that of their ground truth, rank last, whatever exclude_invalid says; reported if they are more than 5 % of the queries with a ground truth",
		Source: "descriptive",
		Use:    "next to map_excluding_invalid, to see how much the result depends on descriptors that could not be computed",
		Avoid:  "for judging the valid descriptors: the invalid ones dominate the difference",
	},
	{
		Name: "true_map_micro_excluding_invalid", Short: "map_excluding_invalid", Paper: "true mAP micro excluding invalid", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		What:   "map without the queries with an invalid descriptor, their own or that of their ground truth; reported when map_including_invalid is",
		Source: "descriptive",
		Use:    "next to map_including_invalid, as the result of the descriptors that could be computed",
		Avoid:  "for comparing descriptors: each is judged on different queries",
	},
	{
		Name: "true_map_macro_by_scene_including_invalid", Short: "map_macro_including_invalid", Paper: "true mAP macro by scene including invalid", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's map_including_invalid",
		Source: "descriptive",
		Use:    "like map_including_invalid, with equal weight for every scene",
		Avoid:  "for judging the valid descriptors: the invalid ones dominate the difference",
	},
	{
		Name: "true_map_macro_by_scene_excluding_invalid", Short: "map_macro_excluding_invalid", Paper: "true mAP macro by scene excluding invalid", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's map_excluding_invalid",
		Source: "descriptive",
		Use:    "like map_excluding_invalid, with equal weight for every scene",
		Avoid:  "for comparing descriptors: each is judged on different queries",
	},
	{
		Name: "mean_precision", Also: "legacy_mean_precision", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of all queries whose nearest neighbour lies within the tolerance of the projected query",
		Source: "Mikolajczyk, Schmid, A Performance Evaluation of Local Descriptors, PAMI 2005 (nearest-neighbour matching); " + workbench,
		Use:    "to know how many matches are correct without any filtering",
		Avoid:  "across detectors: queries without a counterpart in image k cannot be correct",
	},
	{
		Name: "legacy_macro_precision_by_scene", Scene: "mean_precision", Group: "ranking", Range: asShare, Better: "higher",
		What:   "mean over scenes of the scene's mean_precision",
		Source: workbench,
		Use:    "to compare with older results of that program",
		Avoid:  "for new work: map_macro is more informative",
	},
	{
		Name: "precision_at_K", Short: "hit@K", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		Paper:  "hit@K",
		What:   "share of the processed queries with rank ≤ K (a hit rate); half ranks are rounded up. Ranks and ties are those of map",
		Source: feret,
		Use:    "when a later step checks the first K candidates; with K = 1 it is how often the ground truth is the nearest neighbour",
		Avoid:  "as precision in the retrieval sense, which is at most 1 / K when there is only one correct answer; " + sizeMatters,
	},
	{
		Name: "recall_at_K", Paper: "recall@K", Of: Ranks, Group: "ranking", Range: asShare, Better: "higher",
		What:   "equal to hit@K, because every query has exactly one correct answer",
		Source: feret,
		Use:    "instead of hit@K, as the more accurate name",
		Avoid:  "next to hit@K as if it were another result",
	},
	{
		Name: "mrr@K", Also: "mean_reciprocal_rank@K", Paper: "MRR@K", Of: Ranks, Group: "ranking", Range: "above 0 to 1; chance level about ln(gallery) / gallery", Better: "higher",
		What:   "mean of 1 / rank over the queries with a ground truth within K px, whatever the tolerance of the run; K is 1, 2, 3, 5 or 10",
		Source: reciprocal,
		Use:    "to see how results depend on the tolerance: mrr@K is the map of a run with tolerance K",
		Avoid:  "for comparing two K as if on the same queries: a larger K adds queries whose ground truth is farther from the projection",
	},
	{
		Name: "coverage", Of: Ranks, Group: "ranking", Range: asShare,
		What:   "share of the queries (with depth, of the known ones) that are processed (have a ground truth: the keypoint of image k nearest to the projected query, at most tolerance_px away); the means of AP are over these queries. Every query counts the same, so scenes with many keypoints count more, unlike in map_macro" + undetected,
		Source: workbench,
		Use:    "next to every mean AP; it describes the keypoints, not the descriptor",
		Avoid:  "for comparing descriptors on the same keypoints: it is the same for all",
	},
	{
		Name: "mean_gallery_size", Short: "gallery", Of: Ranks, Group: "ranking", Range: "1 or more", Unit: Count,
		What:   "mean number of keypoints of image k, among which the ground truth of a query is ranked, over the processed queries. Every query counts the same, so scenes with many keypoints count more, unlike in map_macro",
		Source: "descriptive",
		Use:    "next to every mean AP: the larger the gallery, the lower the chance level of AP",
		Avoid:  noQuality,
	},
	{
		Name: "fixed_gallery_map", Paper: "fixed gallery mAP", Of: Ranks, Needs: "fixed_gallery", Group: "ranking", Range: "above 0 to 1; chance level about ln(n) / n", Better: "higher",
		What:   "mean AP of the processed queries, each ranked among its ground truth and n - 1 candidates of the same image drawn at random (n = 500)",
		Source: reciprocal + "; galleries of equal size, drawn for each query",
		Use:    "to compare keypoint sets of different sizes",
		Avoid:  "if fixed_gallery_pairs_left_out is not 0 for some of the sets: they are then judged on different image pairs",
	},
	{
		Name: "fixed_gallery_map_macro_by_scene", Paper: "fixed gallery mAP macro by scene", Of: Ranks, Needs: "fixed_gallery", Scene: "fixed_gallery_map", Group: "ranking", Range: "above 0 to 1", Better: "higher",
		What:   "mean over scenes of the scene's fixed_gallery_map",
		Source: reciprocal,
		Use:    "like fixed_gallery_map, with equal weight for every scene",
		Avoid:  "in the same cases as fixed_gallery_map",
	},
	{
		Name: "fixed_gallery_queries", Of: Ranks, Needs: "fixed_gallery", Group: "ranking", Range: "0 or more", Unit: Count,
		What: "number of processed queries with a fixed gallery", Source: "descriptive",
		Use: "next to fixed_gallery_map", Avoid: noQuality,
	},
	{
		Name: "fixed_gallery_pairs_left_out", Of: Ranks, Needs: "fixed_gallery", Group: "ranking", Range: "0 or more", Unit: Count,
		What: "number of image pairs with processed queries but fewer candidates than a fixed gallery needs", Source: "descriptive",
		Use: "next to fixed_gallery_map", Avoid: noQuality,
	},
	{
		Name: "total_queries_processed", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count,
		What:   "number of queries with a ground truth, summed over image pairs",
		Source: workbench,
		Use:    "to know how many queries a mean includes",
		Avoid:  noQuality,
	},
	{
		Name: "total_queries_excluded", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count,
		What:   "number of queries without a ground truth, summed over image pairs",
		Source: workbench,
		Use:    "to know how many queries a mean leaves out",
		Avoid:  noQuality,
	},
	{
		Name: "total_matches", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count,
		What:   "number of queries with a nearest neighbour, summed over image pairs",
		Source: workbench,
		Use:    "to see how many descriptors could be compared",
		Avoid:  noQuality + ": a nearest neighbour can be wrong",
	},
	{
		Name: "total_keypoints", Short: "keypoints", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count,
		What:   "number of keypoints in all images",
		Source: workbench,
		Use:    "to compare the sizes of keypoint sets",
		Avoid:  noQuality,
	},
	{
		Name: "total_queries_invalid", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count, Better: "lower",
		What:   "number of queries with a ground truth and an invalid descriptor, their own or that of the ground truth; reported when map_including_invalid is",
		Source: "descriptive",
		Use:    "next to the metrics with and without these queries",
		Avoid:  noQuality,
	},
	{
		Name: "total_invalid_rows", Of: Ranks, Group: "ranking", Range: "0 or more", Unit: Count, Better: "lower",
		What:   "number of invalid descriptors: not finite as float32, zero norm, or the keypoint could not be described",
		Source: "descriptive",
		Use:    "to see whether a descriptor fails on some keypoints; such queries get the last rank",
		Avoid:  noQuality + " if it is 0",
	},
}
