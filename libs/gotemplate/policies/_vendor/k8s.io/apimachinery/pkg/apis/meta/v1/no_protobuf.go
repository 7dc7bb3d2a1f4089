package v1

import "errors"

// Timestamp is the form of a time in protobuf, which nobody asks for: objects come and go as JSON.
type Timestamp struct {
	Seconds int64
	Nanos   int32
}

var (
	ErrIntOverflowGenerated   = errors.New("there is no protobuf")
	ErrInvalidLengthGenerated = ErrIntOverflowGenerated
)

func encodeVarintGenerated([]byte, int, uint64) int { panic(ErrIntOverflowGenerated) }

func sovGenerated(uint64) int { panic(ErrIntOverflowGenerated) }

func skipGenerated([]byte) (int, error) { return 0, ErrIntOverflowGenerated }
