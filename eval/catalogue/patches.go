package catalogue

const (
	patchArticle  = "Balntas, Lenc, Vedaldi, Mikolajczyk, HPatches, CVPR 2017"
	patch2016     = "hpatches-benchmark of 2016, task descriptions"
	patch2016Code = "hpatches-benchmark of 2016, code"
	otherRules    = "across protocols (p17, m17, hb2016, grouped): they differ in averaging and in the handling of ties"
	otherSplits   = "across splits; " + otherRules
)

// TaskMetrics are the main metrics of the tasks of the patch benchmark.
var TaskMetrics = map[string]string{
	"matching":     "patch_matching_map_mean",
	"verification": "patch_verification_mean_imbalanced_ap",
	"retrieval":    "patch_retrieval_mean_map",
}

// patchMetrics are the metrics of descbench patches: of evaluate (the tasks of
// 2017: verification, matching, retrieval), and of classify, match and retrieve
// (the formats of 2016).
var patchMetrics = []Definition{
	{
		Name: "patch_verification_NOISE_KIND_balanced_auc", Paper: "verification balanced AUC, KIND, NOISE", Task: "verification", Group: "patches", Range: "0 to 1; chance level 0.5", Better: "higher",
		What:   "area under the ROC curve of positive patch pairs against negative pairs from different sequences (inter) or from the same sequence (intra)",
		Source: "hpatches-benchmark, verification, balanced variant",
		Use:    "to compare with tables of that code", Avoid: otherRules,
	},
	{
		Name: "patch_verification_NOISE_KIND_imbalanced_ap", Paper: "verification imbalanced AP, KIND, NOISE", Task: "verification", Group: "patches", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "average precision of the first fifth of the positive patch pairs among all negatives",
		Source: patchArticle + ", section 5.1",
		Use:    "to see noise levels and kinds of negatives separately", Avoid: otherSplits,
	},
	{
		Name: "patch_verification_NOISE_balanced_auc", Paper: "verification balanced AUC over both kinds of negatives, NOISE", Task: "verification", Group: "patches", Range: "0 to 1; chance level 0.5", Better: "higher",
		What:   "mean of patch_verification_NOISE_KIND_balanced_auc over the two kinds of negatives and, as NOISE mean, over the three noise levels",
		Source: "hpatches-benchmark, verification, balanced variant",
		Use:    "to summarise verification independently of the share of positives", Avoid: otherRules,
	},
	{
		Name: "patch_verification_NOISE_imbalanced_ap", Paper: "verification imbalanced AP over both kinds of negatives, NOISE", Task: "verification", Group: "patches", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "mean of patch_verification_NOISE_KIND_imbalanced_ap over the two kinds of negatives and, as NOISE mean, over the three noise levels",
		Source: patchArticle + `: "patch verification mAP", its NOISE mean`,
		Use:    "to compare with published results for the split full", Avoid: otherSplits,
	},
	{
		Name: "patch_matching_map_NOISE", Paper: "matching mAP, NOISE", Task: "matching", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the average precision of the nearest neighbours of all patches, ranked by distance",
		Source: patchArticle + ", section 5.2",
		Use:    "to compare with published results; all sequences have the same number of pairs, so this is also the mean over sequences", Avoid: otherSplits,
	},
	{
		Name: "patch_matching_success_rate_NOISE", Paper: "matching success rate, NOISE", Task: "matching", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of patches whose nearest neighbour is their counterpart",
		Source: "hpatches-benchmark, matching (sr)",
		Use:    "when only the nearest neighbour counts; all protocols agree on it", Avoid: "across splits",
	},
	{
		Name: "patch_matching_map_balanced_NOISE", Paper: "matching mAP, categories balanced, NOISE", Task: "matching", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean of two values: patch_matching_map_NOISE over illumination sequences and over viewpoint sequences",
		Source: patchArticle + ", where both have equal weight",
		Use:    "when a split has more sequences of one category", Avoid: otherSplits,
	},
	{
		Name: "patch_retrieval_map_SIZE_NOISE", Paper: "retrieval mAP, pool of SIZE, NOISE", Task: "retrieval", Group: "patches", Range: "above 0 to 1; chance level about 5 / SIZE", Better: "higher",
		What:   "mean over queries of the average precision of their five counterparts in a pool with distractors from other sequences",
		Source: "hpatches-benchmark, retrieval",
		Use:    "to see how retrieval degrades as the pool grows", Avoid: "across pool sizes, or if the pool is too small (there is a warning); " + otherSplits,
	},
	{
		Name: "patch_retrieval_mean_map", Also: "patch_retrieval_mean_map_mean", Paper: "retrieval mAP, mean over noise levels and pool sizes", Task: "retrieval", Group: "patches", Range: "above 0 to 1", Better: "higher",
		What:   "mean of patch_retrieval_map_SIZE_mean over the pool sizes",
		Source: "hpatches-benchmark, python/hpatches_results.pdf",
		Use:    "to compare with published results", Avoid: "if pools are too small (there is a warning); " + otherSplits,
	},
	{
		Name: "patch_retrieval_mean_map_NOISE", Paper: "retrieval mAP over all pool sizes, NOISE", Task: "retrieval", Group: "patches", Range: "above 0 to 1", Better: "higher",
		What:   "mean of patch_retrieval_map_SIZE_NOISE over the pool sizes; as NOISE mean, patch_retrieval_mean_map",
		Source: "hpatches-benchmark, retrieval",
		Use:    "to see noise levels separately", Avoid: "if pools are too small (there is a warning); " + otherSplits,
	},
	{
		Name: "patch_retrieval_map_first_2000_NOISE", Paper: "retrieval mAP, first 2000 distractors, NOISE", Task: "retrieval", Group: "patches", Range: "above 0 to 1", Better: "higher",
		What:   "like patch_retrieval_map_SIZE_NOISE, with the first 2000 distractors of the file as the pool, except those of the query's sequence",
		Source: "hpatches-benchmark's MATLAB code with its default num_neg; only in protocol m17",
		Use:    "to compare with results of that code", Avoid: "for comparing with other pools, which are larger and harder",
	},
	{
		Name: "patch_classify_PROTOCOL_roc_auc", Paper: "classification ROC AUC, PROTOCOL", Task: "classify", Group: "patches", Range: "0 to 1; chance level 0.5", Better: "higher",
		What:   "area under the ROC curve of patch pairs; ties count ½; balanced: as many negatives as positives, imbalanced: all negatives",
		Source: patch2016 + "; " + fawcett,
		Use:    "for the balanced protocol", Avoid: "for the imbalanced protocol: many negatives hide low precision (" + goadrich + ")",
	},
	{
		Name: "patch_classify_PROTOCOL_eer", Paper: "classification EER, PROTOCOL", Task: "classify", Group: "patches", Range: "0 to 1; chance level 0.5", Better: "lower",
		What:   "equal error rate of patch pairs; see eer",
		Source: patch2016, Use: "when both errors cost the same", Avoid: "when one error is much worse than the other",
	},
	{
		Name: "patch_classify_PROTOCOL_fpr95", Paper: "classification FPR95, PROTOCOL", Task: "classify", Group: "patches", Range: "0 to 1; chance level 0.95", Better: "lower",
		What:   "false positive rate of patch pairs at a true positive rate of 95 %; see fpr95",
		Source: patch2016 + "; Brown, Hua, Winder, PAMI 2011", Use: "to compare with papers on learned patch descriptors", Avoid: "for small sets",
	},
	{
		Name: "patch_classify_PROTOCOL_average_precision", Paper: "classification average precision, PROTOCOL", Task: "classify", Group: "patches", Range: "above 0 to 1; chance level: the share of positives", Better: "higher",
		What:   "average precision of patch pairs; equal distances form one step; see average_precision",
		Source: patch2016 + "; scikit-learn, average_precision_score", Use: "for the imbalanced protocol", Avoid: "across sets with different shares of positives",
	},
	{
		Name: "patch_match_map_over_correct", Paper: "match mAP over correct", Task: "match", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the average precision of the nearest neighbours by distance: the sum of the precisions at the correct ones divided by their number",
		Source: patch2016Code,
		Use:    "to see whether correct matches are nearer than wrong ones", Avoid: "without patch_match_success_rate: a single correct match, ranked first, gives 1",
	},
	{
		Name: "patch_match_map_2nnr_over_correct", Paper: "match mAP by ratio, over correct", Task: "match", Group: "patches", Range: asShare, Better: "higher",
		What:   "like patch_match_map_over_correct, with the matches ranked by descending ratio of the second nearest distance to the nearest",
		Source: patch2016Code + "; Lowe, IJCV 2004", Use: "to see whether the ratio orders matches better than the distance", Avoid: "in the same cases as patch_match_map_over_correct",
	},
	{
		Name: "patch_match_success_rate", Paper: "match success rate", Task: "match", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over image pairs of the share of patches whose nearest neighbour is correct",
		Source: "hpatches-benchmark's MATLAB code of 2017", Use: "when only the nearest neighbour counts", Avoid: "across benchmark files",
	},
	{
		Name: "patch_retrieve_image_map", Paper: "retrieve image mAP", Task: "retrieve", Group: "patches", Range: asShare, Better: "higher",
		What:   "mean over queries of the average precision of patches of the cluster's images among the 50 nearest: the sum of the precisions at those found divided by their number",
		Source: patch2016 + "; Paulin et al., arXiv 1603.00438",
		Use:    "to compare with that benchmark", Avoid: "as a measure of how many are found; without patch_retrieve_chance_image",
	},
	{
		Name: "patch_retrieve_patch_map", Paper: "retrieve patch mAP", Task: "retrieve", Group: "patches", Range: asShare, Better: "higher",
		What:   "like patch_retrieve_image_map, for patches of the cluster itself",
		Source: patch2016 + "; Philbin et al., CVPR 2007",
		Use:    "to compare with that benchmark", Avoid: "as a measure of how many are found",
	},
	{
		Name: "patch_retrieve_chance_image", Paper: "retrieve chance, image", Task: "retrieve", Group: "patches", Range: asShare,
		What:   "share of patches of the cluster's images in the pool without the query: the expected precision of a random order",
		Source: patch2016, Use: "next to patch_retrieve_image_map", Avoid: noQuality,
	},
	{
		Name: "patch_retrieve_chance_patch", Paper: "retrieve chance, patch", Task: "retrieve", Group: "patches", Range: asShare,
		What:   "share of patches of the cluster in the pool without the query: the expected precision of a random order",
		Source: patch2016, Use: "next to patch_retrieve_patch_map", Avoid: noQuality,
	},
}
