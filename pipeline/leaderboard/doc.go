// Package leaderboard shows what a database of results holds: the runs of each
// experiment, and the descriptors of all of them ranked under each protocol. A
// table never mixes protocols or data.
package leaderboard
