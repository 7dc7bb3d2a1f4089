package v1alpha1

import "strconv"

// Flag is what a field that may be missing points to. It prints itself, since Go would print where in memory it is,
// which differs each time.
type Flag bool

func (flag Flag) String() string { return strconv.FormatBool(bool(flag)) }

// Text is to texts what Flag is to true and false.
type Text string

func (text Text) String() string { return string(text) }
