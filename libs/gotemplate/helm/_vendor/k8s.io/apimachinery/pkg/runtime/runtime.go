// Package runtime takes the place of apimachinery's: a record of a release names the type of objects of a cluster, and
// here there are none.
package runtime

// Object is an object of a cluster.
type Object any
