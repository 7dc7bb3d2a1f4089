package main

import (
	"fmt"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	admissionregistrationdefaults "k8s.io/kubernetes/pkg/apis/admissionregistration/v1"
	appsdefaults "k8s.io/kubernetes/pkg/apis/apps/v1"
	autoscalingv1defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v1"
	autoscalingv2defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	batchdefaults "k8s.io/kubernetes/pkg/apis/batch/v1"
	coredefaults "k8s.io/kubernetes/pkg/apis/core/v1"
	discoverydefaults "k8s.io/kubernetes/pkg/apis/discovery/v1"
	flowcontroldefaults "k8s.io/kubernetes/pkg/apis/flowcontrol/v1"
	networkingdefaults "k8s.io/kubernetes/pkg/apis/networking/v1"
	rbacdefaults "k8s.io/kubernetes/pkg/apis/rbac/v1"
	resourcedefaults "k8s.io/kubernetes/pkg/apis/resource/v1"
	schedulingdefaults "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	storagedefaults "k8s.io/kubernetes/pkg/apis/storage/v1"
	kjson "sigs.k8s.io/json"
)

// scheme has the types of Kubernetes and their defaults.
var scheme = runtime.NewScheme()

func init() {
	for _, register := range []func(*runtime.Scheme) error{
		admissionregistrationv1.AddToScheme,
		appsv1.AddToScheme,
		autoscalingv1.AddToScheme,
		autoscalingv2.AddToScheme,
		batchv1.AddToScheme,
		certificatesv1.AddToScheme,
		coordinationv1.AddToScheme,
		corev1.AddToScheme,
		discoveryv1.AddToScheme,
		eventsv1.AddToScheme,
		flowcontrolv1.AddToScheme,
		networkingv1.AddToScheme,
		nodev1.AddToScheme,
		policyv1.AddToScheme,
		rbacv1.AddToScheme,
		resourcev1.AddToScheme,
		schedulingv1.AddToScheme,
		storagev1.AddToScheme,
		admissionregistrationdefaults.RegisterDefaults,
		appsdefaults.RegisterDefaults,
		autoscalingv1defaults.RegisterDefaults,
		autoscalingv2defaults.RegisterDefaults,
		batchdefaults.RegisterDefaults,
		coredefaults.RegisterDefaults,
		discoverydefaults.RegisterDefaults,
		flowcontroldefaults.RegisterDefaults,
		networkingdefaults.RegisterDefaults,
		rbacdefaults.RegisterDefaults,
		resourcedefaults.RegisterDefaults,
		schedulingdefaults.RegisterDefaults,
		storagedefaults.RegisterDefaults,
	} {
		utilruntime.Must(register(scheme))
	}
}

// admitted returns an object as the API server shows it to policies: with defaults, and with the fields that its type has always.
// An object of another kind, or with a wrong field, is as it was written.
func admitted(raw string, namespace string) (*unstructured.Unstructured, error) {
	written := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal([]byte(raw), &written.Object); err != nil {
		return nil, err
	}
	written.SetNamespace(namespace)
	typed, err := scheme.New(written.GroupVersionKind())
	if err != nil || kjson.UnmarshalCaseSensitivePreserveInts([]byte(raw), typed) != nil {
		return written, nil
	}
	scheme.Default(typed)
	mirror(typed)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", written.GetKind(), written.GetName(), err)
	}
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(written.GroupVersionKind())
	object.SetNamespace(namespace)
	return object, nil
}

// mirror writes a value to each of the fields that the API server keeps it in.
func mirror(object runtime.Object) {
	switch typed := object.(type) {
	case *corev1.Secret:
		for key, value := range typed.StringData {
			if typed.Data == nil {
				typed.Data = map[string][]byte{}
			}
			typed.Data[key] = []byte(value)
		}
		typed.StringData = nil
	case *corev1.Pod:
		mirrorAccount(&typed.Spec)
	case *corev1.PodTemplate:
		mirrorAccount(&typed.Template.Spec)
	case *corev1.ReplicationController:
		if typed.Spec.Template != nil {
			mirrorAccount(&typed.Spec.Template.Spec)
		}
	case *appsv1.DaemonSet:
		mirrorAccount(&typed.Spec.Template.Spec)
	case *appsv1.Deployment:
		mirrorAccount(&typed.Spec.Template.Spec)
	case *appsv1.ReplicaSet:
		mirrorAccount(&typed.Spec.Template.Spec)
	case *appsv1.StatefulSet:
		mirrorAccount(&typed.Spec.Template.Spec)
	case *batchv1.Job:
		mirrorAccount(&typed.Spec.Template.Spec)
	case *batchv1.CronJob:
		mirrorAccount(&typed.Spec.JobTemplate.Spec.Template.Spec)
	}
}

func mirrorAccount(pod *corev1.PodSpec) {
	if pod.ServiceAccountName == "" {
		pod.ServiceAccountName = pod.DeprecatedServiceAccount
	}
	pod.DeprecatedServiceAccount = pod.ServiceAccountName
}
