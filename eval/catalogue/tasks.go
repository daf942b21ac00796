package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

const (
	bojanic = "Bojanić, Bartol, Pribanić, Petković, Donoso, Mas, On the Comparison of Classic and Deep Keypoint Detector and Descriptor Methods, ISPA 2019"
	// read_next_keypoints, removeUncommonPoints and patchVerification of commit 461b5d5.
	bojanicCode = "as the value that the authors' code (DavidBoja/keypoint-algorithms-benchmark) prints. " +
		"There, negatives come from 99 of 100 drawn images, some of which may be of the scene itself, and the image that is drawn depends on the order of the folders; " +
		"reference images lack the keypoints that leave a target; and binary rows are compared by NORM_HAMMING2. " +
		"Here, each of up to 100 other scenes gives a random image with all its keypoints, and binary rows are compared by Hamming distance"
	fewer = "across runs with different seeds, numbers of distractors or scenes: all of them change it"
)

// taskMetrics are the metrics of package distractors. AP is the sum of precision ×
// increase in recall without interpolation. Equal distances form one step.
var taskMetrics = slices.Concat(
	withCategories(Definition{
		Name: "keypoint_verification_ap", Paper: "keypoint verification AP", Of: Ranks, Needs: "workbench_tasks", Group: "tasks", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "AP of all true pairs of a scene among all its other pairs and the distractors, pooled by distance; mean over scenes",
		Source: workbench,
		Use:    "to see whether one distance threshold suits all queries of a scene",
		Avoid:  "for keypoint sets of different sizes: the number of pairs grows quadratically; " + fewer,
	}),
	withCategories(Definition{
		Name: "keypoint_retrieval_ap", Paper: "keypoint retrieval AP", Of: Ranks, Needs: "workbench_tasks", Group: "tasks", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "AP of a query's ground truths in all target images among the other keypoints of these images (unless ignored) and the distractors; mean over queries with a ground truth",
		Source: workbench,
		Use:    "to judge retrieval from all images of a scene at once",
		Avoid:  "for keypoint sets of different sizes; " + fewer,
	}),
	[]Definition{
		{
			Name: "retrieval_num_true_positives", Needs: "workbench_tasks", Group: "tasks", Range: "0 or more", Unit: Count,
			What: "number of candidates that are the ground truth of a query", Source: workbench,
			Use: "next to keypoint_verification_ap and keypoint_retrieval_ap", Avoid: noQuality,
		},
		{
			Name: "retrieval_num_hard_negatives", Needs: "workbench_tasks", Group: "tasks", Range: "0 or more", Unit: Count,
			What: "number of candidates that are other keypoints of the query's scene; 0 with hard_negatives: ignore", Source: workbench,
			Use: "next to keypoint_verification_ap and keypoint_retrieval_ap", Avoid: noQuality,
		},
		{
			Name: "retrieval_num_distractors", Needs: "workbench_tasks", Group: "tasks", Range: "0 or more", Unit: Count,
			What: "number of candidates from other scenes", Source: workbench,
			Use: "next to keypoint_verification_ap and keypoint_retrieval_ap", Avoid: noQuality,
		},
	},
	withCategories(Definition{
		Name: "bojanic_matching_map", Paper: "Bojanić matching mAP", Needs: "bojanic_2019", Group: "tasks", Range: asShare, Better: "higher",
		What:   "AP of an image pair's nearest neighbours by distance, correct if no candidate is nearer to the projected keypoint; mean over pairs with a correct match",
		Source: bojanic,
		Use:    "to compare with that study: it uses raw distances and n random keypoints per scene that stay inside every image",
		Avoid:  "as an exact value: n random keypoints are a small sample; see the standard deviation over the repetitions (…_std); " + bojanicCode,
	}, Definition{
		Name: "bojanic_verification_ap", Paper: "Bojanić verification AP", Needs: "bojanic_2019", Group: "tasks", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "AP of the labelled matches of all scenes, pooled with each keypoint's nearest neighbours in images of other scenes as negatives",
		Source: bojanic,
		Use:    "to see whether one distance threshold suits all scenes", Avoid: fewer + "; " + bojanicCode,
	}, Definition{
		Name: "bojanic_retrieval_map", Paper: "Bojanić retrieval mAP", Needs: "bojanic_2019", Group: "tasks", Range: "0 to 1; chance level: the share of positives", Better: "higher",
		What:   "AP of the candidates nearest to a keypoint's projections among its nearest neighbours in n keypoints of one image of each other scene; mean over keypoints",
		Source: bojanic,
		Use:    "to see how well descriptors distinguish a point from points in other scenes", Avoid: fewer + "; " + bojanicCode,
	}),
)

// withCategories returns definitions, followed by those of the same metrics over the scenes of
// each category, whose names are those of package distractors.
func withCategories(list ...Definition) []Definition {
	out := list
	for _, category := range []string{"viewpoint", "illumination"} {
		names := strings.NewReplacer("keypoint_", "", "_ap", "_"+category+"_ap", "_map", "_"+category+"_map")
		for _, d := range list {
			d.What, d.Use, d.Avoid = fmt.Sprintf("%s over the scenes with %s changes (%c_)", d.Name, category, category[0]), "like "+d.Name, "in the same cases as "+d.Name
			d.Name, d.Paper, d.Category = names.Replace(d.Name), d.Paper+", "+category+" scenes", category
			out = append(out, d)
		}
	}
	return out
}
