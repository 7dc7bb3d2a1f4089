package main

import (
	"encoding/json"
	"fmt"
	"strings"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"
)

// maximumSets bounds the sets of policies that are kept compiled.
const maximumSets = 4

var policySets = map[string]*policySet{}

// policySet holds policies with their bindings and parameters.
type policySet struct {
	policies []*policy
	params   map[schema.GroupVersionKind][]*unstructured.Unstructured
	invalid  []invalid
}

// invalid is what the API server would reject in a policy or a binding.
type invalid struct {
	// Policy is the position of the object in the request.
	Policy  int    `json:"policy"`
	Path    string `json:"path"`
	Message string `json:"message"`
	// IsIgnored is true if the policy does not fail closed.
	IsIgnored bool `json:"isIgnored"`
}

// policiesOf compiles policies, or returns those that are kept.
func policiesOf(encoded string) (*policySet, error) {
	if known, isKnown := policySets[encoded]; isKnown {
		return known, nil
	}
	var given []givenObject
	if err := json.Unmarshal([]byte(encoded), &given); err != nil {
		return nil, err
	}
	made := &policySet{params: map[schema.GroupVersionKind][]*unstructured.Unstructured{}, invalid: []invalid{}}
	var bindings []*v1.ValidatingAdmissionPolicyBinding
	for index, each := range given {
		object, err := admitted(each.Object, each.Namespace)
		if err != nil {
			return nil, err
		}
		kind := object.GroupVersionKind()
		switch {
		case kind.Group == v1.GroupName && kind.Kind == "ValidatingAdmissionPolicy":
			made.add(index, each)
		case kind.Group == v1.GroupName && kind.Kind == "ValidatingAdmissionPolicyBinding":
			binding := &v1.ValidatingAdmissionPolicyBinding{}
			found := decoded(each.Object, binding)
			if len(found) == 0 {
				found = bindingErrors(binding)
			}
			made.note(index, found, false)
			bindings = append(bindings, binding)
		default:
			made.params[kind] = append(made.params[kind], object)
		}
	}
	for _, each := range made.policies {
		for _, binding := range bindings {
			if binding.Spec.PolicyName == each.Name {
				each.bindings = append(each.bindings, binding)
			}
		}
	}
	if len(policySets) >= maximumSets {
		clear(policySets)
	}
	policySets[encoded] = made
	return made, nil
}

func (policies *policySet) add(index int, given givenObject) {
	definition := &v1.ValidatingAdmissionPolicy{}
	found := decoded(given.Object, definition)
	if len(found) == 0 {
		found = policyErrors(definition)
	}
	isIgnored := definition.Spec.FailurePolicy != nil && *definition.Spec.FailurePolicy == v1.Ignore
	if len(found) == 0 {
		var compiled *policy
		compiled, found = compile(definition)
		if len(found) == 0 {
			compiled.paramsScope = given.ParamsScope
			policies.policies = append(policies.policies, compiled)
		}
	}
	policies.note(index, found, isIgnored)
}

func (policies *policySet) note(index int, found []fieldError, isIgnored bool) {
	for _, each := range found {
		policies.invalid = append(policies.invalid, invalid{index, each.path, each.message, isIgnored})
	}
}

// fieldError is what is wrong with a field.
type fieldError struct {
	path, message string
}

// decoded reads a policy or binding of any version, whose fields are those of v1, and adds the defaults.
func decoded(raw string, object runtime.Object) []fieldError {
	strict, err := kjson.UnmarshalStrict([]byte(raw), object)
	if err != nil {
		return []fieldError{{"", err.Error()}}
	}
	var found []fieldError
	for _, each := range strict {
		path := ""
		if located, isLocated := each.(interface{ FieldPath() string }); isLocated {
			path = located.FieldPath()
		}
		found = append(found, fieldError{path, each.Error()})
	}
	scheme.Default(object)
	return found
}

func policyErrors(definition *v1.ValidatingAdmissionPolicy) []fieldError {
	spec := &definition.Spec
	var found []fieldError
	require := func(isThere bool, path, message string) {
		if !isThere {
			found = append(found, fieldError{path, message})
		}
	}
	require(definition.Name != "", "metadata.name", "is required")
	require(spec.MatchConstraints != nil && len(spec.MatchConstraints.ResourceRules) > 0, "spec.matchConstraints.resourceRules", "is required")
	require(len(spec.Validations)+len(spec.AuditAnnotations) > 0, "spec.validations", "is required, unless there are auditAnnotations")
	require(*spec.FailurePolicy == v1.Fail || *spec.FailurePolicy == v1.Ignore, "spec.failurePolicy", "must be Fail or Ignore")
	if spec.ParamKind != nil {
		require(spec.ParamKind.APIVersion != "" && spec.ParamKind.Kind != "", "spec.paramKind", "must have apiVersion and kind")
	}
	for index, each := range spec.Validations {
		require(strings.TrimSpace(each.Expression) != "", fmt.Sprintf("spec.validations[%d].expression", index), "is required")
	}
	return found
}

func bindingErrors(binding *v1.ValidatingAdmissionPolicyBinding) []fieldError {
	spec := &binding.Spec
	var found []fieldError
	require := func(isThere bool, path, message string) {
		if !isThere {
			found = append(found, fieldError{path, message})
		}
	}
	require(spec.PolicyName != "", "spec.policyName", "is required")
	require(len(spec.ValidationActions) > 0, "spec.validationActions", "is required")
	for _, each := range spec.ValidationActions {
		require(each == v1.Deny || each == v1.Warn || each == v1.Audit, "spec.validationActions", "must be Deny, Warn or Audit")
	}
	if reference := spec.ParamRef; reference != nil {
		require((reference.Name != "") != (reference.Selector != nil), "spec.paramRef", "must have either a name or a selector")
		action := reference.ParameterNotFoundAction
		require(action != nil && (*action == v1.AllowAction || *action == v1.DenyAction), "spec.paramRef.parameterNotFoundAction", "must be Allow or Deny")
	}
	return found
}
