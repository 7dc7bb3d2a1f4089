package main

import (
	"context"
	"fmt"
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// verdict is what a policy says against an object.
type verdict struct {
	// Object is the position of the object in the request.
	Object int    `json:"object"`
	Policy string `json:"policy"`
	// Action is Deny, Warn or Audit.
	Action  v1.ValidationAction `json:"action"`
	Message string              `json:"message"`
}

// subject is an object that is judged.
type subject struct {
	*admission.VersionedAttributes
	namespace *corev1.Namespace
	isSecret  bool
	matcher   generic.PolicyMatcher
}

// judge returns the verdicts of all policies.
func (policies *policySet) judge(given givenObject, namespaces knownNamespaces) ([]verdict, error) {
	object, err := admitted(given.Object, given.Namespace)
	if err != nil {
		return nil, err
	}
	var former *unstructured.Unstructured
	if given.Former != "" {
		if former, err = admitted(given.Former, given.Namespace); err != nil {
			return nil, err
		}
	}
	attributes := attributesOf(object, former, given.Resource)
	if isExempt(attributes.GetResource().GroupResource()) {
		return nil, nil
	}
	judged := subject{
		VersionedAttributes: &admission.VersionedAttributes{
			Attributes: attributes, VersionedKind: attributes.GetKind(), VersionedObject: object, VersionedOldObject: attributes.GetOldObject(),
		},
		isSecret: isSecret(attributes.GetKind()),
		matcher:  namespaces.matcher(),
	}
	if given.Namespace != "" {
		if judged.namespace, err = namespaces.Get(given.Namespace); err != nil {
			return nil, err
		}
	}
	var verdicts []verdict
	for _, each := range policies.policies {
		verdicts = append(verdicts, policies.judgeBy(each, judged)...)
	}
	return verdicts, nil
}

func isSecret(kind schema.GroupVersionKind) bool { return kind.Group == "" && kind.Kind == "Secret" }

func (policies *policySet) judgeBy(by *policy, judged subject) []verdict {
	other := versions{kind: judged.VersionedKind, named: namedVersions(by.Spec.MatchConstraints)}
	matches, resource, kind, err := judged.matcher.DefinitionMatches(judged.Attributes, other, validating.NewValidatingAdmissionPolicyAccessor(by.ValidatingAdmissionPolicy))
	if err != nil {
		return by.failed("failed to configure policy", err)
	}
	var verdicts []verdict
	for _, binding := range by.bindings {
		if !matches {
			break
		}
		other.named = namedVersions(binding.Spec.MatchResources)
		isBound, err := judged.matcher.BindingMatches(judged.Attributes, other, validating.NewValidatingAdmissionPolicyBindingAccessor(binding))
		if err != nil {
			verdicts = append(verdicts, by.failed("failed to configure binding", err)...)
			continue
		}
		if !isBound {
			continue
		}
		if kind != judged.VersionedKind {
			verdicts = append(verdicts, by.unjudged(fmt.Sprintf("it is for %s, to which only the cluster converts the object", kind.GroupVersion())))
			continue
		}
		params, err := policies.paramsOf(by, binding.Spec.ParamRef, judged.GetNamespace())
		if err != nil {
			verdicts = append(verdicts, by.failed("failed to configure binding", err)...)
			continue
		}
		for _, each := range params {
			verdicts = append(verdicts, by.validate(judged, resource, binding, each)...)
		}
	}
	return verdicts
}

func namedVersions(resources *v1.MatchResources) []string {
	var named []string
	if resources != nil {
		for _, rule := range slices.Concat(resources.ResourceRules, resources.ExcludeResourceRules) {
			named = append(named, rule.APIVersions...)
		}
	}
	return named
}

// failed is the verdict of a policy that cannot be evaluated.
func (by *policy) failed(doing string, err error) []verdict {
	if *by.Spec.FailurePolicy == v1.Ignore {
		return nil
	}
	return []verdict{{Policy: by.Name, Action: v1.Deny, Message: fmt.Sprintf("%s: %s", doing, err)}}
}

func (by *policy) unjudged(reason string) verdict {
	return verdict{Policy: by.Name, Action: v1.Audit, Message: "cannot be judged here: " + reason}
}

func (by *policy) validate(judged subject, resource schema.GroupVersionResource, binding *v1.ValidatingAdmissionPolicyBinding, param runtime.Object) []verdict {
	isConfidential := judged.isSecret || param != nil && isSecret(param.GetObjectKind().GroupVersionKind())
	validator := by.validator
	if isConfidential {
		validator = by.confidential
	}
	rights := &unknownRights{}
	result := validator.Validate(context.Background(), resource, judged.VersionedAttributes, param, judged.namespace, celconfig.RuntimeCELCostBudget, rights)
	if rights.wereAsked {
		return []verdict{by.unjudged("it asks the authorizer, which only the cluster has")}
	}
	var verdicts []verdict
	for _, decision := range result.Decisions {
		if decision.Action == validating.ActionAdmit {
			continue
		}
		message := decision.Message
		if isConfidential && decision.Evaluation == validating.EvalError {
			message = "an expression resulted in an error"
		}
		verdicts = append(verdicts, verdict{Policy: by.Name, Action: strongest(binding.Spec.ValidationActions), Message: message})
	}
	for _, annotation := range result.AuditAnnotations {
		switch annotation.Action {
		case validating.AuditAnnotationActionPublish:
			verdicts = append(verdicts, verdict{Policy: by.Name, Action: v1.Audit, Message: annotation.Key + ": " + annotation.Value})
		case validating.AuditAnnotationActionError:
			verdicts = append(verdicts, verdict{Policy: by.Name, Action: v1.Deny, Message: annotation.Error})
		}
	}
	return verdicts
}

func strongest(actions []v1.ValidationAction) v1.ValidationAction {
	for _, each := range []v1.ValidationAction{v1.Deny, v1.Warn} {
		if slices.Contains(actions, each) {
			return each
		}
	}
	return v1.Audit
}
