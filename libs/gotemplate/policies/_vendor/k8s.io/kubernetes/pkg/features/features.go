// Package features takes the place of Kubernetes', whose other features decide nothing here.
package features

import "k8s.io/apiserver/pkg/util/feature"

// The features that defaults of objects depend on.
const (
	ImageVolume                        feature.Feature = "ImageVolume"
	JobPodReplacementPolicy            feature.Feature = "JobPodReplacementPolicy"
	MaxUnavailableStatefulSet          feature.Feature = "MaxUnavailableStatefulSet"
	PodLevelResources                  feature.Feature = "PodLevelResources"
	PodLogsQuerySplitStreams           feature.Feature = "PodLogsQuerySplitStreams"
	SELinuxMountReadWriteOncePod       feature.Feature = "SELinuxMountReadWriteOncePod"
	TaintTolerationComparisonOperators feature.Feature = "TaintTolerationComparisonOperators"
	VolumeLimitScaling                 feature.Feature = "VolumeLimitScaling"
)
