package catalogue

// Texts shared by several definitions.
const (
	fawcett  = "Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006"
	goadrich = "Davis, Goadrich, The relationship between Precision-Recall and ROC curves, ICML 2006"
)

// classificationMetrics are the metrics of eval/binary. A pair is positive if its
// keypoints correspond, and negative otherwise. The classifier accepts a pair
// (says Yes) if its distance is at most a threshold. In a run, each query forms
// one pair with its nearest neighbour.
var classificationMetrics = []Definition{
	{
		Name: "roc_auc", Paper: "ROC AUC", Group: "classification", Range: "0 to 1; chance level 0.5", Better: "higher",
		What:   "area under the ROC curve: the probability that a positive has a smaller distance than a negative; ties count ½",
		Source: fawcett + "; Hanley, McNeil, Radiology 143, 1982",
		Use:    "to summarise all thresholds independently of the share of positives",
		Avoid:  "when positives are rare: a high area can hide low precision; use average_precision (" + goadrich + ")",
	},
	{
		Name: "eer", Paper: "EER", Group: "classification", Range: "0 to 1; chance level 0.5", Better: "lower",
		What:   "equal error rate: the value at which false positive rate and false negative rate are equal, by linear interpolation of the ROC curve",
		Source: "Martin, Doddington, Kamm, Ordowski, Przybocki, The DET Curve in Assessment of Detection Task Performance, Eurospeech 1997",
		Use:    "when both errors cost the same",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "fpr95", Paper: "FPR95", Group: "classification", Range: "0 to 1; chance level 0.95", Better: "lower",
		What:   "false positive rate at the smallest threshold with a true positive rate of at least 0.95; all pairs at the distance of the threshold count. Scripts that stop within such a group, for example HardNet's, print less, by an amount that depends on the order of the pairs",
		Source: "Brown, Hua, Winder, Discriminative Learning of Local Image Descriptors, PAMI 2011",
		Use:    "to compare with papers on learned patch descriptors",
		Avoid:  "for small sets: it depends on the last 5 % of the positives",
	},
	{
		Name: "average_precision", Paper: "AP", Group: "classification", Range: "above 0 to 1; chance level: the share of positives", Better: "higher",
		What:   "sum of precision × increase in recall over the distinct distances; equal distances form one step",
		Source: "scikit-learn, average_precision_score; " + goadrich,
		Use:    "as the area under the precision-recall curve, especially when positives are rare",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "pr_auc_trapezoid", Paper: "PR AUC trapezoid", Group: "classification", Range: "above 0 to 1", Better: "higher",
		What:   "area under the precision-recall curve by the trapezoidal rule, starting at precision 1 for recall 0; equal distances form one point",
		Source: "common code of papers; " + goadrich + " on why linear interpolation is too optimistic",
		Use:    "to compare with papers that use this rule",
		Avoid:  "when distances tie (binary descriptors): use average_precision or pr_auc_interpolated",
	},
	{
		Name: "pr_auc_interpolated", Paper: "PR AUC interpolated", Group: "classification", Range: "above 0 to 1", Better: "higher",
		What:   "area under the precision-recall curve that corresponds to linear interpolation of the ROC curve, in closed form",
		Source: goadrich,
		Use:    "when the curve has few points, for example with binary descriptors",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "best_youden_j", Paper: "best Youden J", Group: "classification", Range: "0 (chance level) to 1", Unit: Measure, Better: "higher",
		What:   "maximum of youden_j over all thresholds: the maximum height of the ROC curve above the chance diagonal",
		Source: "Youden, Index for Rating Diagnostic Tests, Cancer 3, 1950",
		Use:    "to choose a threshold when both classes are equally important, whatever their sizes",
		Avoid:  "as the expected result of an application: the threshold was chosen on the same pairs",
	},
	{
		Name: "best_accuracy", Group: "classification", Range: asShare, Better: "higher",
		What:   "maximum of accuracy over all thresholds",
		Source: fawcett,
		Use:    "when the classes have about the same size",
		Avoid:  "when the classes differ in size: rejecting everything is accurate if positives are rare",
	},
	{
		Name: "true_positive_rate", Also: "recall, sensitivity, hit_rate", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: TP / positives, the share of the positives that are accepted (Yes)",
		Source: fawcett,
		Use:    "together with false_positive_rate or precision",
		Avoid:  "by itself: accepting everything gives 1",
	},
	{
		Name: "false_positive_rate", Also: "fallout, false_alarm_rate", Group: "classification", Range: asShare, Better: "lower",
		What:   "at a threshold: FP / negatives, the share of the negatives that are accepted (Yes)",
		Source: fawcett,
		Use:    "together with true_positive_rate",
		Avoid:  "by itself: rejecting everything gives 0; when negatives are numerous: even a low rate can mean many wrong pairs",
	},
	{
		Name: "true_negative_rate", Also: "specificity", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: TN / negatives = 1 - false_positive_rate",
		Source: fawcett,
		Use:    "together with true_positive_rate",
		Avoid:  "by itself: rejecting everything gives 1",
	},
	{
		Name: "false_negative_rate", Also: "miss_rate", Group: "classification", Range: asShare, Better: "lower",
		What:   "at a threshold: FN / positives = 1 - true_positive_rate",
		Source: fawcett,
		Use:    "together with false_positive_rate",
		Avoid:  "by itself: accepting everything gives 0",
	},
	{
		Name: "accuracy", Also: "rand_index", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: (TP + TN) / all",
		Source: "Rand, Objective Criteria for the Evaluation of Clustering Methods, JASA 66, 1971; " + fawcett,
		Use:    "when the classes have about the same size",
		Avoid:  "when the classes differ in size: rejecting everything is accurate if positives are rare",
	},
	{
		Name: "precision", Group: "classification", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "at a threshold: TP / (TP + FP), the share of the accepted pairs (Yes) that are positive; undefined if no pair is accepted",
		Source: fawcett,
		Use:    "to know how reliable an accepted pair is in this population",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "youden_j", Also: "informedness", Paper: "Youden J", Group: "classification", Range: "-1 to 1; chance level 0", Unit: Measure, Better: "higher",
		What:   "at a threshold: sensitivity + specificity - 1 = true_positive_rate - false_positive_rate",
		Source: "Youden, Index for Rating Diagnostic Tests, Cancer 3, 1950",
		Use:    "to summarise an operating point independently of the share of positives",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "balanced_accuracy", Group: "classification", Range: "0 to 1; chance level 0.5", Better: "higher",
		What:   "at a threshold: mean of sensitivity and specificity",
		Source: "Brodersen, Ong, Stephan, Buhmann, The Balanced Accuracy and Its Posterior Distribution, ICPR 2010",
		Use:    "instead of accuracy when the classes differ in size",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "f1", Paper: "F1", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall",
		Source: "van Rijsbergen, Information Retrieval, 1979, chapter 7",
		Use:    "when only the positives matter",
		Avoid:  "when the negatives matter too; across sets with different shares of positives",
	},
	{
		Name: "matthews_correlation", Paper: "Matthews correlation", Group: "classification", Range: "-1 to 1; chance level 0", Unit: Measure, Better: "higher",
		What:   "at a threshold: correlation between accepted and positive; undefined unless some pairs are accepted, some rejected, and both classes occur",
		Source: "Matthews, Biochimica et Biophysica Acta 405, 1975",
		Use:    "to summarise the whole confusion matrix when the classes differ in size",
		Avoid:  "across sets with different shares of positives",
	},
}
