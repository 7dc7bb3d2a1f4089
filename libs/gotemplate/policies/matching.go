package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/client-go/kubernetes"
)

// knownNamespaces answers for the cluster's namespaces: every one exists.
type knownNamespaces map[string]*corev1.Namespace

func namespacesOf(given []string) (knownNamespaces, error) {
	namespaces := knownNamespaces{}
	for _, raw := range given {
		object, err := admitted(raw, "")
		if err != nil {
			return nil, err
		}
		namespace := &corev1.Namespace{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, namespace); err == nil {
			namespaces[namespace.Name] = completed(namespace)
		}
	}
	return namespaces, nil
}

// completed adds what the cluster adds to a namespace.
func completed(namespace *corev1.Namespace) *corev1.Namespace {
	if namespace.Labels == nil {
		namespace.Labels = map[string]string{}
	}
	namespace.Labels[corev1.LabelMetadataName] = namespace.Name
	namespace.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
	namespace.Status.Phase = corev1.NamespaceActive
	return namespace
}

func (namespaces knownNamespaces) Get(name string) (*corev1.Namespace, error) {
	if known, isKnown := namespaces[name]; isKnown {
		return known, nil
	}
	return completed(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}), nil
}

func (namespaces knownNamespaces) matcher() generic.PolicyMatcher {
	var none kubernetes.Interface
	return generic.NewPolicyMatcher(matching.NewMatcher(namespaces, none))
}

// versions maps the resource of an object to its other versions that rules name. None of them can be converted to here.
type versions struct {
	admission.ObjectInterfaces
	kind  schema.GroupVersionKind
	named []string
}

func (other versions) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper { return other }

func (other versions) EquivalentResourcesFor(resource schema.GroupVersionResource, _ string) []schema.GroupVersionResource {
	var resources []schema.GroupVersionResource
	for _, version := range other.named {
		if version != "*" && version != resource.Version {
			resources = append(resources, resource.GroupResource().WithVersion(version))
		}
	}
	return resources
}

func (other versions) KindFor(resource schema.GroupVersionResource, _ string) schema.GroupVersionKind {
	return other.kind.GroupKind().WithVersion(resource.Version)
}

// isExempt is true for objects that the API server shows to no policy.
func isExempt(resource schema.GroupResource) bool {
	switch resource.Group {
	case "admissionregistration.k8s.io":
		switch resource.Resource {
		case "validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings":
			return true
		}
	case "authentication.k8s.io", "authorization.k8s.io":
		return true
	}
	return false
}

// attributesOf returns the request that creates an object, or updates its former state.
func attributesOf(object, former *unstructured.Unstructured, resource string) admission.Attributes {
	kind := object.GroupVersionKind()
	operation, options := admission.Create, runtime.Object(&metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}})
	var old runtime.Object
	namespace := object.GetNamespace()
	if former != nil {
		operation, options, old = admission.Update, &metav1.UpdateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "UpdateOptions"}}, former
		if resource == "namespaces" && kind.Group == "" {
			namespace = object.GetName()
		}
	}
	return admission.NewAttributesRecord(
		object, old, kind, namespace, object.GetName(),
		kind.GroupVersion().WithResource(resource), "", operation, options, false, requester,
	)
}
