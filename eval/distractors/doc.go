// Package distractors evaluates keypoint descriptors by verification, matching and
// retrieval with distractors from other scenes. It implements two protocols:
//
//   - workbench_tasks, the tasks of DescriptorWorkbench
//     (github.com/F-Sossi/DescriptorWorkbench);
//   - bojanic_2019: Bojanić, Bartol, Pribanić, Petković, Donoso, Mas: On the
//     Comparison of Classic and Deep Keypoint Detector and Descriptor Methods,
//     ISPA 2019 (arXiv 2007.10000).
//
// In both protocols, Record computes the records of one scene and one descriptor
// from a Scene and the Pools of other scenes, one image each. The records are flat
// and are stored. An accumulator computes metrics from the records of all scenes.
// Every random choice depends only on a seed and on its purpose. Therefore records
// do not depend on the order of scenes and pools, and metrics do not depend on the
// order of records. A failed scene has no record and no pool. The caller reports it
// with the accumulator's Fail, and a warning names it.
//
// Average precision (AP) is the sum of precision × increase in recall over the
// distinct distances, without interpolation; equal distances form one step. An
// invalid descriptor is at infinite distance from all others. The package is pure
// Go.
package distractors
