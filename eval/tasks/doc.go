// Package tasks measures descriptors of keypoints by verification, matching and
// retrieval, with distractors from other scenes, after two protocols:
//
//   - workbench_tasks, as DescriptorWorkbench does
//     (github.com/F-Sossi/DescriptorWorkbench);
//   - bojanic_2019: Bojanić, Bartol, Pribanić, Petković, Donoso, Mas: On the
//     Comparison of Classic and Deep Keypoint Detector and Descriptor Methods,
//     ISPA 2019 (arXiv 2007.10000).
//
// Both go the same way. A Scene and the Pools of other scenes give the records
// of one scene and one descriptor; an accumulator turns the records of all
// scenes into figures. A Pool is the rows of one image of a scene. Every random
// choice depends on a seed and on what it is made for, so that records depend
// neither on the order of scenes nor on the number of workers.
//
// Average precision (AP) here is the sum of precision × rise of recall over the
// distances that occur, without interpolation, equal distances together. A
// descriptor that describes nothing is at infinite distance from everything.
// It is pure Go.
package tasks
