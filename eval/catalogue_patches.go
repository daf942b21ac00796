package eval

const (
	patchArticle = "Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017"
	patch2016    = "hpatches-benchmark of 2016, as its task descriptions have it"
	otherRules   = "across protocols (p17, m17, hb2016, grouped): they average and treat ties in other ways"
	otherSplits  = "across splits; " + otherRules
	tieSides     = "for binary descriptors, many distances of which tie"
)

// patchMetrics are those of descbench patches: of evaluate (the tasks of 2017;
// verification, matching, retrieval) and of classify, match and retrieve (the
// formats of 2016).
var patchMetrics = []Definition{
	{
		Name: "patch_verification_NOISE_KIND_balanced_auc", Group: "patches", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "area under the ROC curve of telling positive pairs of patches from negatives of other sequences (inter) or the same one (intra), all pairs",
		Source: "hpatches-benchmark, verification, balanced variant",
		Use:    "to compare with tables of that code", Avoid: otherRules,
	},
	{
		Name: "patch_verification_NOISE_KIND_imbalanced_ap", Group: "patches", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "average precision of the first fifth of the positive pairs among all negatives",
		Source: patchArticle + ", section 5.1",
		Use:    "to see noise levels and kinds of negatives apart", Avoid: otherSplits,
	},
	{
		Name: "patch_verification_mean_balanced_auc", Group: "patches", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "mean of patch_verification_NOISE_KIND_balanced_auc over three noise levels and two kinds of negatives",
		Source: "hpatches-benchmark, verification, balanced variant",
		Use:    "as one figure of verification that does not depend on the share of positives", Avoid: otherRules,
	},
	{
		Name: "patch_verification_mean_imbalanced_ap", Group: "patches", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "mean of patch_verification_NOISE_KIND_imbalanced_ap over three noise levels and two kinds of negatives",
		Source: patchArticle + `: "patch verification mAP"`,
		Use:    "to compare with published figures of the split full", Avoid: otherSplits,
	},
	{
		Name: "patch_matching_map_NOISE", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the average precision of the nearest neighbours of all patches, ranked by distance",
		Source: patchArticle + ", section 5.2",
		Use:    "to compare with published figures; every sequence has the same number of pairs, so that it is their mean too", Avoid: otherSplits,
	},
	{
		Name: "patch_matching_success_rate_NOISE", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of patches whose nearest neighbour is their counterpart",
		Source: "hpatches-benchmark, matching (sr)",
		Use:    "where only the nearest neighbour counts; all protocols agree on it", Avoid: "across splits",
	},
	{
		Name: "patch_matching_map_balanced_NOISE", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean of patch_matching_map_NOISE over illumination sequences and of that over viewpoint sequences",
		Source: patchArticle + ", in which both weigh equally",
		Use:    "where a split has more sequences of one category", Avoid: otherSplits,
	},
	{
		Name: "patch_retrieval_map_SIZE_NOISE", Group: "patches", Range: "above 0 to 1; by chance about 5 / SIZE", Better: "higher",
		What:   "mean over queries of the average precision of their five counterparts in a pool with distractors of other sequences",
		Source: "hpatches-benchmark, retrieval",
		Use:    "to see how figures fall as the pool grows", Avoid: "across sizes of the pool, and where it is short (a warning says so); " + otherSplits,
	},
	{
		Name: "patch_retrieval_map_first_2000_NOISE", Group: "patches", Range: "above 0 to 1", Better: "higher",
		What:   "the same with the first 2000 distractors of the file as the pool, less those of the query's sequence",
		Source: "hpatches-benchmark's MATLAB code with its default num_neg; of protocol m17 alone",
		Use:    "to compare with figures of that code", Avoid: "to compare with other pools, which are larger and harder",
	},
	{
		Name: "patch_classify_PROTOCOL_roc_auc", Group: "patches", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "area under the ROC curve of pairs of patches, equal distances counted half; balanced: as many negatives as positives, imbalanced: all",
		Source: patch2016 + "; " + fawcett,
		Use:    "for the balanced protocol", Avoid: "for the imbalanced one: many negatives hide low precision (" + goadrich + ")",
	},
	{
		Name: "patch_classify_PROTOCOL_roc_auc_ties_for", Group: "patches", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "the same with equal distances counted for the descriptor, as the code of 2016 does",
		Source: patch2016 + ", code", Use: "to compare with what that code prints", Avoid: tieSides,
	},
	{
		Name: "patch_classify_PROTOCOL_eer", Group: "patches", Range: "0 to 1; 0.5 by chance", Better: "lower",
		What:   "equal error rate of pairs of patches, as eer",
		Source: patch2016, Use: "when both errors cost the same", Avoid: "when one error is much worse than the other",
	},
	{
		Name: "patch_classify_PROTOCOL_fpr95", Group: "patches", Range: "0 to 1; 0.95 by chance", Better: "lower",
		What:   "false positive rate of pairs of patches at a true positive rate of 95 %, as fpr95",
		Source: patch2016 + "; Brown, Hua, Winder, PAMI 2011", Use: "to compare with papers on learned descriptors of patches", Avoid: "for small sets",
	},
	{
		Name: "patch_classify_PROTOCOL_average_precision", Group: "patches", Range: "above 0 to 1; by chance the share of positives", Better: "higher",
		What:   "average precision of pairs of patches, equal distances at once, as average_precision",
		Source: patch2016 + "; scikit-learn, average_precision_score", Use: "for the imbalanced protocol", Avoid: "across sets with other shares of positives",
	},
	{
		Name: "patch_classify_PROTOCOL_average_precision_ties_for", Group: "patches", Range: "above 0 to 1; by chance the share of positives", Better: "higher",
		What:   "the same with the positives of equal distances first, as the code of 2016 has it",
		Source: patch2016 + ", code", Use: "to compare with what that code prints", Avoid: tieSides,
	},
	{
		Name: "patch_classify_PROTOCOL_pr_auc_interpolated", Group: "patches", Range: "above 0 to 1", Better: "higher",
		What:   "area under the precision-recall curve of pairs of patches, as pr_auc_interpolated",
		Source: goadrich, Use: "where the curve has few points, as with binary descriptors", Avoid: "across sets with other shares of positives",
	},
	{
		Name: "patch_match_map_over_correct", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the average precision of the nearest neighbours by distance, divided by the right ones",
		Source: patch2016 + ", code",
		Use:    "to compare with what that code prints", Avoid: "as a measure of matching: one right match on top gives 1; patch_match_map_over_n then",
	},
	{
		Name: "patch_match_map_2nnr_over_correct", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same with the matches ranked by the ratio of the second nearest distance to the nearest",
		Source: patch2016 + ", code; Lowe, IJCV 2004", Use: "to see whether the ratio orders matches better than the distance", Avoid: "as patch_match_map_over_correct",
	},
	{
		Name: "patch_match_map_over_n", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same by distance, divided by the patches of the image",
		Source: "hpatches-benchmark's MATLAB code of 2017", Use: "as the main figure of matching", Avoid: "across benchmark files",
	},
	{
		Name: "patch_match_map_trap_over_n", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same with the area taken by trapezoids",
		Source: "hpatches-benchmark's Python code", Use: "to compare with that code", Avoid: "across benchmark files",
	},
	{
		Name: "patch_match_success_rate", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of patches whose nearest neighbour is right",
		Source: "hpatches-benchmark's MATLAB code of 2017", Use: "where only the nearest neighbour counts", Avoid: "across benchmark files",
	},
	{
		Name: "patch_retrieve_image_map", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over queries of the average precision of patches of the cluster's images among the 50 nearest, divided by those found",
		Source: patch2016 + "; Paulin et al., arXiv 1603.00438",
		Use:    "to compare with that benchmark", Avoid: "as a measure of how much is found; beside patch_retrieve_chance_image",
	},
	{
		Name: "patch_retrieve_patch_map", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same for patches of the cluster itself",
		Source: patch2016 + "; Philbin et al., CVPR 2007",
		Use:    "to compare with that benchmark", Avoid: "as a measure of how much is found; patch_retrieve_patch_map_over_cluster then",
	},
	{
		Name: "patch_retrieve_patch_map_over_cluster", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same divided by the size of the cluster without the query",
		Source: patch2016 + ", with the usual average precision", Use: "as the main figure of retrieval", Avoid: "across benchmark files",
	},
	{
		Name: "patch_retrieve_patch_map_trap_over_cluster", Group: "patches", Range: asShare, Better: "higher",
		What:   "the same with the area taken by trapezoids",
		Source: "hpatches-benchmark's Python code", Use: "to compare with that code", Avoid: "across benchmark files",
	},
	{
		Name: "patch_retrieve_chance_image", Group: "patches", Range: asShare,
		What:   "share of the cluster's images in the pool without the query: what a random order gives",
		Source: patch2016, Use: "beside patch_retrieve_image_map", Avoid: "as a measure of quality",
	},
	{
		Name: "patch_retrieve_chance_patch", Group: "patches", Range: asShare,
		What:   "share of the cluster in the pool without the query: what a random order gives",
		Source: patch2016, Use: "beside patch_retrieve_patch_map", Avoid: "as a measure of quality",
	},
}
