package main

import (
	"errors"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// paramsOf returns the parameters that a binding chooses for an object of a namespace. A nil one is judged, too.
func (policies *policySet) paramsOf(by *policy, reference *v1.ParamRef, namespace string) ([]runtime.Object, error) {
	kind := by.Spec.ParamKind
	if kind == nil || reference == nil {
		return []runtime.Object{nil}, nil
	}
	candidates := policies.params[schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)]
	isNamespaced := by.paramsScope == "Namespaced"
	if by.paramsScope == "" {
		isNamespaced = len(candidates) > 0 && candidates[0].GetNamespace() != ""
	}
	switch {
	case isNamespaced && reference.Namespace != "":
		namespace = reference.Namespace
	case isNamespaced && namespace == "":
		return nil, errors.New("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources")
	case !isNamespaced && (by.paramsScope != "" || len(candidates) > 0) && reference.Namespace != "":
		return nil, errors.New("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
	case !isNamespaced:
		namespace = ""
	}
	selector := labels.Everything()
	if reference.Selector != nil {
		var err error
		if selector, err = metav1.LabelSelectorAsSelector(reference.Selector); err != nil {
			return nil, err
		}
	}
	chosen := chosenParams(candidates, func(each *unstructured.Unstructured) bool {
		return each.GetNamespace() == namespace &&
			(reference.Name == "" || each.GetName() == reference.Name) &&
			selector.Matches(labels.Set(each.GetLabels()))
	})
	if len(chosen) == 0 && reference.ParameterNotFoundAction != nil && *reference.ParameterNotFoundAction == v1.DenyAction {
		return nil, errors.New("no params found for policy binding with `Deny` parameterNotFoundAction")
	}
	return chosen, nil
}

func chosenParams(candidates []*unstructured.Unstructured, isChosen func(*unstructured.Unstructured) bool) []runtime.Object {
	var chosen []runtime.Object
	for _, each := range candidates {
		if isChosen(each) {
			chosen = append(chosen, each)
		}
	}
	return chosen
}
