// Package record defines the records of image pairs and of their queries, from which
// all metrics of a run are computed, and checks that they agree.
package record

import (
	"encoding/json"

	"descbench/keypoints"
)

// A Query is the record of one query of one image pair. It holds the results of one
// pass over the descriptors with the homography, which suffice to compute every
// ranking metric. Queries without a ground truth also have a record.
//
// Row numbers identify the keypoints of a set, starting at 0. Positions are in px;
// the centre of an image's first pixel is (0, 0).
//
// The tag parquet names the column that stores a field, null the value that means
// missing and is stored as NULL. If null names another column, the field is 0 and
// stored as NULL where that column is NULL.
type Query struct {
	// Descriptor is the name of the descriptor in the config.
	Descriptor string `parquet:"descriptor,dict"`
	// Scene is the name of the scene.
	Scene string `parquet:"scene,dict"`
	// K is the number of the other image, 2 or more: the pair is (image 1, image K).
	K int32 `parquet:"k"`
	// Row is the query's row in the set of image 1, 0 to keypoints_1 - 1.
	Row int32 `parquet:"row"`

	// X is the query's position in image 1, px.
	X float32 `parquet:"x"`
	// Y is the query's position in image 1, px.
	Y float32 `parquet:"y"`
	// ProjectedX is the query's position mapped into image K by the homography, px,
	// inside or outside the image; NULL if the homography maps the query to infinity. With
	// cameras and depth, it is that of a visible query; NULL for others.
	ProjectedX float64 `parquet:"projected_x" null:"NaN"`
	// ProjectedY belongs to ProjectedX.
	ProjectedY float64 `parquet:"projected_y" null:"NaN"`

	// Truth is the row of the ground truth in the set of image K: the candidate
	// nearest to the projected query (the lowest row if several are equally near)
	// within scope.MaxTolerancePx; NULL if there is none, and always for imported matches.
	//
	// This is the relevance rule nearest. Under the rule position, candidates
	// at the same position as the ground truth are the same answer: the best of
	// them is ranked, and the others are not counted. Under the rule identity,
	// the ground truth is the projection of the query itself, even if another
	// candidate is nearer. A run uses one rule, set in its config.
	Truth int32 `parquet:"truth" null:"-1"`
	// TruthX is the ground truth's position in image K, px; NULL without a ground
	// truth.
	TruthX float32 `parquet:"truth_x" null:"NaN"`
	// TruthY belongs to TruthX.
	TruthY float32 `parquet:"truth_y" null:"NaN"`
	// TruthError is the distance from the projected query to the ground truth, 0 to
	// scope.MaxTolerancePx; NULL without a ground truth.
	TruthError float64 `parquet:"truth_error" null:"+Inf"`

	// Partner is the row of the keypoint of image K that is the only correct match of the query
	// for matching.Partners; -1 if every match is wrong, since no keypoint of image K is near its
	// projection; NULL if neither is known.
	Partner int32 `parquet:"partner" null:"-2"`

	// Less is the number of other candidates that are nearer to the query in
	// descriptor space than the ground truth, 0 to candidates - 1; NULL without a
	// ground truth. It is candidates - 1 if the query or its ground truth is invalid.
	Less int32 `parquet:"less" null:"truth"`
	// Equal is the number of other candidates at exactly the same descriptor distance
	// as the ground truth, 0 to candidates - 1; NULL without a ground truth.
	Equal int32 `parquet:"equal" null:"truth"`

	// Nearest is the row in the set of image K of the valid candidate nearest to the
	// query in descriptor space; ties go to the lower row. NULL without a valid
	// candidate, or if the query is invalid. For imported matches: the row that the
	// query is matched with; NULL if it is not matched.
	Nearest int32 `parquet:"nearest" null:"-1"`
	// NearestX is the nearest candidate's position in image K, px; NULL without one.
	NearestX float32 `parquet:"nearest_x" null:"NaN"`
	// NearestY belongs to NearestX.
	NearestY float32 `parquet:"nearest_y" null:"NaN"`
	// NearestDistance is the nearest candidate's descriptor distance, 0 or more; NULL
	// without one. For imported matches: the file's distance, or 1 minus its score; NULL
	// without either.
	NearestDistance float64 `parquet:"nearest_distance" null:"NaN"`
	// NearestError is the distance from the projected query to the nearest candidate,
	// px, 0 or more; NULL without one, or if projected_x is.
	NearestError float64 `parquet:"nearest_error" null:"+Inf"`
	// State says what is known of the query's place in image K, if the images have cameras: visible;
	// outside of the image; occluded; or unknown, without depth at the query or at its projection. All that needs
	// places leaves out unknown queries, and takes every match of queries that are outside or occluded for
	// wrong. NULL for homographies.
	State keypoints.State `parquet:"state,dict" null:""`
	// NearestState is the State of the nearest candidate, of its place in image 1; NULL without one, and
	// for homographies.
	NearestState keypoints.State `parquet:"nearest_state,dict" null:""`
	// NearestError1 is the distance from the query to the place of the nearest candidate in image 1, px;
	// NULL unless that is visible, and for homographies, which say it.
	NearestError1 float64 `parquet:"nearest_error_1" null:"+Inf"`
	// Second is the row in the set of image K of the second nearest valid candidate;
	// NULL without one.
	Second int32 `parquet:"second" null:"-1"`
	// SecondDistance is the second nearest candidate's descriptor distance, at least
	// nearest_distance; NULL without one.
	SecondDistance float64 `parquet:"second_distance" null:"NaN"`

	// Mutual reports whether the query is also the nearest neighbour of its nearest
	// candidate; always false for imported matches.
	Mutual bool `parquet:"mutual"`
	// Shared reports whether the projected query is in image K: 0 ≤ x ≤ width_k - 1
	// and 0 ≤ y ≤ height_k - 1; with cameras, whether it is visible.
	Shared bool `parquet:"shared"`
	// Invalid reports whether the query's own descriptor is invalid.
	Invalid bool `parquet:"invalid"`
	// Candidates is the number of keypoints of image K that can be answers, 0 to
	// keypoints_k.
	Candidates int32 `parquet:"candidates"`

	// GalleryLess is Less among the candidates drawn for the query's fixed gallery;
	// NULL if no fixed gallery was requested, the query has no ground truth, or image
	// K has too few candidates.
	GalleryLess int32 `parquet:"gallery_less" null:"-1"`
	// GalleryEqual is Equal among the same candidates; NULL where GalleryLess is.
	GalleryEqual int32 `parquet:"gallery_equal" null:"-1"`
}

// TruthInvalid reports whether the query, which is valid, has a ground truth that
// is invalid in every answer, given the number of invalid candidates. Such a
// ground truth ranks behind all candidates that are not answers themselves, a
// valid one before all invalid candidates.
func (q *Query) TruthInvalid(invalid int32) bool {
	return !q.Invalid && q.Truth >= 0 && q.Less >= q.Candidates-invalid
}

// Unknown reports whether nothing can be said about the matches of the query.
func (q *Query) Unknown() bool { return q.State == keypoints.Unknown }

// A Pair is the record of one image pair and one descriptor. For its tags, see Query.
type Pair struct {
	// Descriptor is the name of the descriptor in the config.
	Descriptor string `parquet:"descriptor,dict"`
	// Scene is the name of the scene.
	Scene string `parquet:"scene,dict"`
	// K is the number of the other image, 2 or more: the pair is (image 1, image K).
	K int32 `parquet:"k"`

	// SceneDigest identifies the scene's images and homographies: a key for joining
	// two runs.
	SceneDigest string `parquet:"scene_digest,dict"`
	// SetDigest identifies the keypoints of all images of the scene: a key for joining
	// two runs.
	SetDigest string `parquet:"set_digest,dict"`

	// Dimension is the number of elements of a descriptor: numbers or bits.
	Dimension int32 `parquet:"dimension"`

	// Width1 is the width of image 1, px.
	Width1 int32 `parquet:"width_1"`
	// Height1 is the height of image 1, px.
	Height1 int32 `parquet:"height_1"`
	// WidthK is the width of image K, px.
	WidthK int32 `parquet:"width_k"`
	// HeightK is the height of image K, px.
	HeightK int32 `parquet:"height_k"`
	// Keypoints1 is the number of keypoints of image 1: the queries.
	Keypoints1 int32 `parquet:"keypoints_1"`
	// KeypointsK is the number of keypoints of image K: the candidates.
	KeypointsK int32 `parquet:"keypoints_k"`
	// Invalid1 is the number of keypoints of image 1 with an invalid descriptor.
	Invalid1 int32 `parquet:"invalid_1"`
	// InvalidK is the number of keypoints of image K with an invalid descriptor; with
	// evaluation.shared_top_k, of those that are used.
	InvalidK int32 `parquet:"invalid_k"`
	// RowBytes is the size of one descriptor during comparison, bytes.
	RowBytes int32 `parquet:"row_bytes"`

	// The following are computed by package matching from the keypoints and the
	// homography, within its TolerancePx.

	// Known1 is the number of keypoints of image 1 whose place in image K is not unknown; NULL for
	// homographies, and for cameras without depth.
	Known1 int32 `parquet:"known_1" null:"-1"`
	// KnownK is the number of keypoints of image K whose place in image 1 is not unknown; NULL where
	// known_1 is.
	KnownK int32 `parquet:"known_k" null:"-1"`
	// Shared1 is the number of keypoints of image 1 whose projection is in image K.
	Shared1 int32 `parquet:"shared_1"`
	// SharedK is the number of keypoints of image K whose projection is in image 1.
	SharedK int32 `parquet:"shared_k"`
	// Repeated1 is the number of the keypoints of shared_1 that have a neighbour among
	// those of shared_k.
	Repeated1 int32 `parquet:"repeated_1"`
	// RepeatedK is the number of the keypoints of shared_k that have a neighbour among
	// those of shared_1.
	RepeatedK int32 `parquet:"repeated_k"`
	// RepeatedOnce is the number of pairs of keypoints that are each other's nearest
	// neighbour.
	RepeatedOnce int32 `parquet:"repeated_one_to_one"`
	// RepeatErrorSum1 is the sum of the distances of the keypoints of repeated_1 to
	// their neighbours, px of image K.
	RepeatErrorSum1 float64 `parquet:"repeat_error_sum_1"`
	// RepeatErrorSumK is the sum of the distances of the keypoints of repeated_k to
	// their neighbours, px of image 1.
	RepeatErrorSumK float64 `parquet:"repeat_error_sum_k"`
	// CorrectSharedK is the number of correct matches whose keypoint of image K is
	// projected into image 1.
	CorrectSharedK int32 `parquet:"correct_shared_k"`
	// Spread1 is how evenly the keypoints cover image 1, 0 (one cell) to 1; NULL
	// without keypoints.
	Spread1 float64 `parquet:"spread_1" null:"NaN"`
	// SpreadK is how evenly the keypoints cover image K, 0 (one cell) to 1; NULL
	// without keypoints.
	SpreadK float64 `parquet:"spread_k" null:"NaN"`

	// Homography11 is an element of the true homography from image 1 to image K, by row
	// and column; NULL if unknown.
	Homography11 float64 `parquet:"homography_11" null:"NaN"`
	// Homography12 belongs to Homography11.
	Homography12 float64 `parquet:"homography_12" null:"NaN"`
	// Homography13 belongs to Homography11.
	Homography13 float64 `parquet:"homography_13" null:"NaN"`
	// Homography21 belongs to Homography11.
	Homography21 float64 `parquet:"homography_21" null:"NaN"`
	// Homography22 belongs to Homography11.
	Homography22 float64 `parquet:"homography_22" null:"NaN"`
	// Homography23 belongs to Homography11.
	Homography23 float64 `parquet:"homography_23" null:"NaN"`
	// Homography31 belongs to Homography11.
	Homography31 float64 `parquet:"homography_31" null:"NaN"`
	// Homography32 belongs to Homography11.
	Homography32 float64 `parquet:"homography_32" null:"NaN"`
	// Homography33 belongs to Homography11.
	Homography33 float64 `parquet:"homography_33" null:"NaN"`

	// Cameras holds the cameras of both images as a JSON object, if the images have cameras
	// instead of a homography: k1 and kk, the focal lengths and the principal point (fx, fy, cx,
	// cy) of image 1 and K in px, r and t, the rotation (by row) and the translation from the
	// coordinates of the camera of image 1 to those of image K; if they were resized also scales,
	// the factors of width and height of both. NULL without cameras.
	Cameras string `parquet:"cameras,dict" null:""`

	// Subsets holds the names of the subsets that the list of pairs puts the pair in, with a
	// space between them; NULL without any.
	Subsets string `parquet:"subsets,dict" null:""`

	// Correspondences is the number of keypoints of image 1 with a keypoint of image K
	// within 3 px of their projection, 0 to keypoints_1; NULL for matches of points
	// without keypoint sets, and for cameras without depth.
	Correspondences int32 `parquet:"correspondences" null:"-1"`
	// Imported is rows or points if another program found the matches: rows matched
	// keypoints of a set, points are positions without keypoint sets. NULL if the
	// matches are nearest neighbours.
	Imported string `parquet:"imported,dict" null:""`
	// Matcher names the matcher whose matches correct_shared_k and the corner errors
	// belong to; NULL if unknown. Imported matches have none: it is the default.
	Matcher string `parquet:"matcher,dict" null:""`

	// CornerErrors holds the corner errors of all requested estimators as a JSON object, px
	// by estimator, null if it found no homography or one that maps a corner of image 1 to
	// infinity; a list of these, one per estimate, where evaluation.estimator_draws or
	// the estimator's repetitions ask for several; NULL without any. An average in SQL leaves
	// out failures; the share of estimates within 3 px with them is, in DuckDB, AVG(CASE WHEN
	// 3 >= px THEN 1.0 ELSE 0 END) over UNNEST(CAST(corner_errors->'ransac' AS DOUBLE[])) AS px.
	CornerErrors string `parquet:"corner_errors,dict" null:""`

	// PoseErrors holds the errors of the relative poses of all requested estimators as a JSON
	// object: by estimator a list of [rotation, translation], both in degrees, one per estimate,
	// null if it found none; NULL without any.
	PoseErrors string `parquet:"pose_errors,dict" null:""`

	// KeynetKeypoints is the number of keypoints that both images have at least in
	// Key.Net's region (evaluation.shared_region), at most evaluation.shared_top_k;
	// NULL if it is 0 or another region is used.
	KeynetKeypoints int32 `parquet:"keynet_keypoints" null:"0"`
	// KeynetRepeated is the number of pairs of circles that overlap by 60 %, one to
	// one, whose radii are the sizes of the keypoints; NULL if keynet_keypoints is.
	KeynetRepeated int32 `parquet:"keynet_repeated" null:"keynet_keypoints"`
	// KeynetOverlapErrorSum is the sum of 1 - overlap over the pairs of keynet_repeated;
	// NULL if keynet_keypoints is.
	KeynetOverlapErrorSum float64 `parquet:"keynet_overlap_error_sum" null:"keynet_keypoints"`
	// KeynetRepeatedSingleScale is keynet_repeated of circles of one radius, 30 px; NULL if
	// keynet_keypoints is.
	KeynetRepeatedSingleScale int32 `parquet:"keynet_repeated_single_scale" null:"keynet_keypoints"`
	// KeynetOverlapErrorSumSingleScale is the sum of 1 - overlap over these; NULL if
	// keynet_keypoints is.
	KeynetOverlapErrorSumSingleScale float64 `parquet:"keynet_overlap_error_sum_single_scale" null:"keynet_keypoints"`
	// KeynetPossible is the number of keypoints of image 1 in the region that have one
	// of image K within 5 px, in image 1; NULL if keynet_keypoints is.
	KeynetPossible int32 `parquet:"keynet_possible_matches" null:"keynet_keypoints"`
}

// Mapping returns the true mapping from image 1 to image K, without depth. ok is false if the record does not
// have it.
func (p *Pair) Mapping() (m keypoints.Mapping, ok bool) {
	from, to := [2]int{int(p.Width1), int(p.Height1)}, [2]int{int(p.WidthK), int(p.HeightK)}
	if p.Cameras != "" {
		var c keypoints.Cameras
		err := json.Unmarshal([]byte(p.Cameras), &c)
		return keypoints.Space(c, from, to), err == nil
	}
	m, err := keypoints.Plane(keypoints.Homography{
		p.Homography11, p.Homography12, p.Homography13,
		p.Homography21, p.Homography22, p.Homography23,
		p.Homography31, p.Homography32, p.Homography33,
	}, from, to)
	return m, err == nil
}

// Placeless reports whether it is not known where points lie: the images have cameras without depth.
func (p *Pair) Placeless() bool { return p.Cameras != "" && p.Known1 < 0 }

// HasDepth reports whether the images have cameras and depth.
func (p *Pair) HasDepth() bool { return p.Cameras != "" && p.Known1 >= 0 }

// Undetected reports whether an image has no keypoints, which is a failure of the detector: the
// pair counts as 0 in every metric that judges it.
func (p *Pair) Undetected() bool { return p.Keypoints1 == 0 || p.KeypointsK == 0 }

// SetMapping enters the true mapping from image 1 to image K: its homography or its cameras.
func (p *Pair) SetMapping(m keypoints.Mapping) {
	p.SetHomography(m.Homography())
	p.Cameras = ""
	if c, ok := m.Cameras(); ok {
		text, err := json.Marshal(c)
		if err != nil {
			panic(err) // of finite numbers
		}
		p.Cameras = string(text)
	}
}

// SetHomography enters the true homography from image 1 to image K, row by row.
func (p *Pair) SetHomography(h [9]float64) {
	p.Homography11, p.Homography12, p.Homography13 = h[0], h[1], h[2]
	p.Homography21, p.Homography22, p.Homography23 = h[3], h[4], h[5]
	p.Homography31, p.Homography32, p.Homography33 = h[6], h[7], h[8]
}

// The values of Pair.Imported.
const (
	ImportedRows   = "rows"
	ImportedPoints = "points"
)
