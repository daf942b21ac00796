package binary

// A Ratio is a figure of a confusion matrix, NaN if a denominator is empty.
type Ratio struct {
	Name    string // in files and JSON
	Title   string // spelled out, with the names of other fields
	Short   string // in tables
	Formula string
	Of      func(Confusion) float64

	Numerator, Denominator func(Confusion) int64 // nil unless it is the quotient of two counts
}

// Ratios lists all ratios in reporting order.
var Ratios = []Ratio{
	{"true_positive_rate", "true positive rate (recall, sensitivity, hit rate)", "TPR", "TP / positives", Confusion.TruePositiveRate,
		func(c Confusion) int64 { return c.TP }, Confusion.Positives},
	{"false_positive_rate", "false positive rate (fallout, false alarm rate)", "FPR", "FP / negatives", Confusion.FalsePositiveRate,
		func(c Confusion) int64 { return c.FP }, Confusion.Negatives},
	{"true_negative_rate", "true negative rate (specificity)", "TNR", "TN / negatives", Confusion.TrueNegativeRate,
		func(c Confusion) int64 { return c.TN }, Confusion.Negatives},
	{"false_negative_rate", "false negative rate (miss rate)", "FNR", "FN / positives", Confusion.FalseNegativeRate,
		func(c Confusion) int64 { return c.FN }, Confusion.Positives},
	{"precision", "precision", "precision", "TP / Yes", Confusion.Precision,
		func(c Confusion) int64 { return c.TP }, Confusion.Yes},
	{"accuracy", "accuracy (Rand index)", "accuracy", "(TP + TN) / all", Confusion.Accuracy,
		func(c Confusion) int64 { return c.TP + c.TN }, Confusion.Total},
	{Name: "youden_j", Title: "Youden J (informedness)", Short: "Youden J", Formula: "sensitivity + specificity - 1", Of: Confusion.YoudenJ},
	{Name: "balanced_accuracy", Title: "balanced accuracy", Short: "balanced accuracy", Formula: "(sensitivity + specificity) / 2", Of: Confusion.BalancedAccuracy},
	{"f1", "F1", "F1", "2 TP / (2 TP + FP + FN)", Confusion.F1,
		func(c Confusion) int64 { return 2 * c.TP }, func(c Confusion) int64 { return 2*c.TP + c.FP + c.FN }},
	{Name: "matthews_correlation", Title: "Matthews correlation", Short: "Matthews correlation", Formula: "correlation of prediction and truth", Of: Confusion.MatthewsCorrelation},
}
