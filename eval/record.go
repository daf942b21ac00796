// Package eval is the metrics module: it turns query records into the figures
// that the field uses. It is pure Go, knows no images and keeps no state
// beyond its accumulators.
package eval

// A Query is the record of one query of one image pair: what one pass over
// the descriptors and the homography yield, enough to derive every ranking
// metric without them. Queries without a ground truth have a record too.
//
// Rows count keypoints of a set from 0; -1 means that there is none.
type Query struct {
	Descriptor string `parquet:"descriptor,dict"`
	Scene      string `parquet:"scene,dict"`
	K          int32  `parquet:"k"`   // the pair is (image 1, image K)
	Row        int32  `parquet:"row"` // of the query, in the set of image 1

	X          float32 `parquet:"x"` // of the query, px in image 1
	Y          float32 `parquet:"y"`
	ProjectedX float64 `parquet:"projected_x"` // of the query, px in image K
	ProjectedY float64 `parquet:"projected_y"`

	// Truth is the candidate nearest to the projected query (the lowest row
	// if several are), if it is within scope.MaxTolerancePx, else -1. TruthError is
	// its distance in px, +Inf if there is none.
	Truth      int32   `parquet:"truth"`
	TruthError float64 `parquet:"truth_error"`

	// Less and Equal count the candidates other than the truth that are
	// nearer in descriptor space than it, and exactly as near. Both are 0
	// without a truth. An invalid query or an invalid truth has
	// Less = Candidates-1.
	//
	// That is the relevance rule nearest. Under the rule position, candidates
	// at the truth's place are the same answer: the best of them is ranked and
	// the others are not counted. Under the rule identity the truth is the
	// candidate that is the projection of the query itself, wherever others
	// lie. A run has one rule, named in its config.
	Less  int32 `parquet:"less"`
	Equal int32 `parquet:"equal"`

	// Nearest and Second are the two candidates nearest in descriptor space
	// (lower rows first on ties), with their distances, NaN if there is none.
	// An invalid query has none, an invalid candidate is none.
	Nearest         int32   `parquet:"nearest"`
	NearestDistance float64 `parquet:"nearest_distance"`
	Second          int32   `parquet:"second"`
	SecondDistance  float64 `parquet:"second_distance"`
	NearestError    float64 `parquet:"nearest_error"` // px from the projected query to Nearest; +Inf if none

	Mutual     bool  `parquet:"mutual"`  // the query is also the nearest of its nearest
	Shared     bool  `parquet:"shared"`  // projected into image K: 0 ≤ x ≤ w-1, 0 ≤ y ≤ h-1
	Invalid    bool  `parquet:"invalid"` // the query's own row describes nothing
	Candidates int32 `parquet:"candidates"`

	// GalleryLess and GalleryEqual are Less and Equal among the candidates
	// drawn for the query's fixed gallery instead of all; -1 where none were
	// drawn: no fixed gallery was asked for, the query has no truth, or its
	// image too few candidates.
	GalleryLess  int32 `parquet:"gallery_less"`
	GalleryEqual int32 `parquet:"gallery_equal"`
}

// A Pair is the record of one image pair and one descriptor.
type Pair struct {
	Descriptor string `parquet:"descriptor,dict"`
	Scene      string `parquet:"scene,dict"`
	K          int32  `parquet:"k"`

	// SceneDigest names the scene's images and homographies, SetDigest the
	// keypoints of all its images: results of two runs are joined on them.
	SceneDigest string `parquet:"scene_digest,dict"`
	SetDigest   string `parquet:"set_digest,dict"`

	Dimension int32 `parquet:"dimension"` // elements per row: numbers, or bits

	Width1     int32 `parquet:"width_1"` // of image 1, px
	Height1    int32 `parquet:"height_1"`
	WidthK     int32 `parquet:"width_k"`
	HeightK    int32 `parquet:"height_k"`
	Keypoints1 int32 `parquet:"keypoints_1"` // rows of the set of image 1: the queries
	KeypointsK int32 `parquet:"keypoints_k"` // rows of the set of image K: the candidates
	Invalid1   int32 `parquet:"invalid_1"`   // of these, rows that describe nothing
	InvalidK   int32 `parquet:"invalid_k"`
	RowBytes   int32 `parquet:"row_bytes"` // of one descriptor as it is compared

	// What package matching counts with the keypoints and the homography in
	// hand, as its Facts explain. Spreads are NaN without keypoints.
	Shared1         int32   `parquet:"shared_1"`
	SharedK         int32   `parquet:"shared_k"`
	Repeated1       int32   `parquet:"repeated_1"`
	RepeatedK       int32   `parquet:"repeated_k"`
	RepeatedOnce    int32   `parquet:"repeated_one_to_one"`
	RepeatErrorSum1 float64 `parquet:"repeat_error_sum_1"`
	RepeatErrorSumK float64 `parquet:"repeat_error_sum_k"`
	CorrectSharedK  int32   `parquet:"correct_shared_k"`
	Spread1         float64 `parquet:"spread_1"`
	SpreadK         float64 `parquet:"spread_k"`

	// RansacCornerError and MagsacCornerError are how far the homography that
	// these estimators find from the mutual matches is from the true one, px
	// in image K; +Inf where they failed, NaN where they were not asked.
	RansacCornerError float64 `parquet:"ransac_corner_error"`
	MagsacCornerError float64 `parquet:"magsac_corner_error"`
}
