package eval

// What several definitions say.
const (
	fawcett     = "Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27, 2006"
	goadrich    = "Davis, Goadrich, The relationship between Precision-Recall and ROC curves, ICML 2006"
	onThreshold = "to compare systems whose thresholds were chosen differently; curves and areas do that"
)

// classificationMetrics are those of eval/binary: a pair is positive if its
// keypoints correspond, and the classifier says Yes to distances up to a
// threshold. Of a run the pairs are every query with its nearest neighbour.
var classificationMetrics = []Definition{
	{
		Name: "roc_auc", Group: "classification", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "area under the ROC curve: the probability that a positive is nearer than a negative, ties counted half",
		Source: fawcett + "; Hanley, McNeil, Radiology 143, 1982",
		Use:    "for one figure over all thresholds that does not depend on the share of positives",
		Avoid:  "where positives are rare: a high area may go with low precision; read average_precision (" + goadrich + ")",
	},
	{
		Name: "eer", Group: "classification", Range: "0 to 1; 0.5 by chance", Better: "lower",
		What:   "equal error rate: where false positive and false negative rate are equal, on straight lines between the points of the ROC curve",
		Source: "Martin, Doddington, Kamm, Ordowski, Przybocki, The DET Curve in Assessment of Detection Task Performance, Eurospeech 1997",
		Use:    "when both errors cost the same",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "fpr95", Group: "classification", Range: "0 to 1; 0.95 by chance", Better: "lower",
		What:   "false positive rate at the smallest threshold with a true positive rate of at least 0.95",
		Source: "Brown, Hua, Winder, Discriminative Learning of Local Image Descriptors, PAMI 2011",
		Use:    "to compare with papers on learned descriptors of patches",
		Avoid:  "for small sets: it hangs on the last twentieth of the positives",
	},
	{
		Name: "average_precision", Group: "classification", Range: "above 0 to 1; by chance the share of positives", Better: "higher",
		What:   "sum over the distances that occur of precision × rise of recall; equal distances together",
		Source: "scikit-learn, average_precision_score; " + goadrich,
		Use:    "as the area under the precision-recall curve, above all where positives are rare",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "pr_auc_trapezoid", Group: "classification", Range: "above 0 to 1", Better: "higher",
		What:   "area under straight lines between the points of the precision-recall curve, from precision 1 at recall 0; equal distances together",
		Source: "the usual code of papers; " + goadrich + " on why the lines are too high",
		Use:    "to compare with papers that computed it so",
		Avoid:  "where distances tie (binary descriptors): average_precision or pr_auc_interpolated then",
	},
	{
		Name: "pr_auc_interpolated", Group: "classification", Range: "above 0 to 1", Better: "higher",
		What:   "area under the precision-recall curve with the points joined as straight lines of the ROC curve join them, in closed form",
		Source: goadrich,
		Use:    "where the curve has few points, as with binary descriptors",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "best_youden_j", Group: "classification", Range: asShare, Better: "higher",
		What:   "the greatest youden_j of any threshold: the greatest height of the ROC curve above the chance diagonal",
		Source: "Youden, Index for Rating Diagnostic Tests, Cancer 3, 1950",
		Use:    "to choose a threshold when both classes matter alike, whatever their numbers",
		Avoid:  "as the figure that an application gets: the threshold was chosen on the same pairs",
	},
	{
		Name: "best_accuracy", Group: "classification", Range: asShare, Better: "higher",
		What:   "the greatest accuracy of any threshold",
		Source: fawcett,
		Use:    "where the classes are of about the same size",
		Avoid:  "where they are not: saying No to everything is accurate when positives are rare",
	},
	{
		Name: "true_positive_rate", Also: "recall, sensitivity, hit_rate", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: TP / positives, the share of the positives that get a Yes",
		Source: fawcett,
		Use:    "together with false_positive_rate or precision",
		Avoid:  "alone: saying Yes to everything gives 1",
	},
	{
		Name: "false_positive_rate", Also: "fallout, false_alarm_rate", Group: "classification", Range: asShare, Better: "lower",
		What:   "at a threshold: FP / negatives, the share of the negatives that get a Yes",
		Source: fawcett,
		Use:    "together with true_positive_rate",
		Avoid:  "alone: saying No to everything gives 0; and where negatives abound, as a small rate may be many pairs",
	},
	{
		Name: "true_negative_rate", Also: "specificity", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: TN / negatives = 1 - false_positive_rate",
		Source: fawcett,
		Use:    "together with true_positive_rate",
		Avoid:  "alone: saying No to everything gives 1",
	},
	{
		Name: "false_negative_rate", Also: "miss_rate", Group: "classification", Range: asShare, Better: "lower",
		What:   "at a threshold: FN / positives = 1 - true_positive_rate",
		Source: fawcett,
		Use:    "together with false_positive_rate",
		Avoid:  "alone: saying Yes to everything gives 0",
	},
	{
		Name: "accuracy", Also: "rand_index", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: (TP + TN) / all",
		Source: "Rand, Objective Criteria for the Evaluation of Clustering Methods, JASA 66, 1971; " + fawcett,
		Use:    "where the classes are of about the same size",
		Avoid:  "where they are not: saying No to everything is accurate when positives are rare",
	},
	{
		Name: "precision", Group: "classification", Range: "0 to 1; by chance the share of positives", Better: "higher",
		What:   "at a threshold: TP / (TP + FP), the share of the Yes that is right; undefined where nothing gets a Yes",
		Source: fawcett,
		Use:    "to know how far a Yes can be trusted in this population",
		Avoid:  "across sets with different shares of positives",
	},
	{
		Name: "youden_j", Also: "informedness", Group: "classification", Range: "-1 to 1; 0 by chance", Better: "higher",
		What:   "at a threshold: sensitivity + specificity - 1 = true_positive_rate - false_positive_rate",
		Source: "Youden, Index for Rating Diagnostic Tests, Cancer 3, 1950",
		Use:    "for one figure of an operating point that does not depend on the share of positives",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "balanced_accuracy", Group: "classification", Range: "0 to 1; 0.5 by chance", Better: "higher",
		What:   "at a threshold: mean of sensitivity and specificity",
		Source: "Brodersen, Ong, Stephan, Buhmann, The Balanced Accuracy and Its Posterior Distribution, ICPR 2010",
		Use:    "in place of accuracy where the classes differ in size",
		Avoid:  "when one error is much worse than the other",
	},
	{
		Name: "f1", Group: "classification", Range: asShare, Better: "higher",
		What:   "at a threshold: 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall",
		Source: "van Rijsbergen, Information Retrieval, 1979, chapter 7",
		Use:    "where only the positives matter",
		Avoid:  "where the negatives matter too, or across sets with different shares of positives",
	},
	{
		Name: "matthews_correlation", Group: "classification", Range: "-1 to 1; 0 by chance", Better: "higher",
		What:   "at a threshold: correlation of what is said and what is true; undefined unless both are said and both occur",
		Source: "Matthews, Biochimica et Biophysica Acta 405, 1975",
		Use:    "for one figure of the whole confusion matrix where the classes differ in size",
		Avoid:  "across sets with different shares of positives",
	},
}
