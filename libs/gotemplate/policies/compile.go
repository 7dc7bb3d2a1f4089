package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	v1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policy is compiled, with its bindings.
type policy struct {
	*v1.ValidatingAdmissionPolicy
	bindings []*v1.ValidatingAdmissionPolicyBinding
	// paramsScope is as in givenObject.
	paramsScope string
	validator   validating.Validator
	// confidential is the validator for secrets: its messages have no values.
	confidential validating.Validator
}

// newest has all that Kubernetes of this version knows: an API server evaluates stored policies with it.
const newest = environment.StoredExpressions

// compiler compiles the expressions of a policy and notes those that are wrong.
type compiler struct {
	*cel.CompositedCompiler
	found []fieldError
}

// plain compiles all policies without variables, whose environments are the same.
var plain *cel.CompositedCompiler

func compilerFor(variables []v1.Variable) (*compiler, error) {
	if len(variables) == 0 && plain != nil {
		return &compiler{CompositedCompiler: plain}, nil
	}
	made, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, 0)))
	if err != nil {
		return nil, err
	}
	if len(variables) == 0 {
		plain = made
	}
	return &compiler{CompositedCompiler: made}, nil
}

func compile(definition *v1.ValidatingAdmissionPolicy) (*policy, []fieldError) {
	spec := &definition.Spec
	compiler, err := compilerFor(spec.Variables)
	if err != nil {
		return nil, []fieldError{{"spec", err.Error()}}
	}
	hasParams := spec.ParamKind != nil
	all := cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}
	forMessages := cel.OptionalVariableDeclarations{HasParams: hasParams}
	for index, each := range spec.Variables {
		result := compiler.CompileAndStoreVariable(&validating.Variable{Name: each.Name, Expression: each.Expression}, all, newest)
		compiler.note(fmt.Sprintf("spec.variables[%d].expression", index), result)
	}
	conditions := make([]cel.ExpressionAccessor, len(spec.MatchConditions))
	for index := range spec.MatchConditions {
		conditions[index] = (*matchconditions.MatchCondition)(&spec.MatchConditions[index])
	}
	validations, messages := make([]cel.ExpressionAccessor, len(spec.Validations)), make([]cel.ExpressionAccessor, len(spec.Validations))
	for index, each := range spec.Validations {
		validations[index] = &validating.ValidationCondition{Expression: each.Expression, Message: each.Message, Reason: each.Reason}
		if each.MessageExpression != "" {
			messages[index] = &validating.MessageExpressionCondition{MessageExpression: each.MessageExpression}
		}
	}
	annotations := make([]cel.ExpressionAccessor, len(spec.AuditAnnotations))
	for index, each := range spec.AuditAnnotations {
		annotations[index] = &validating.AuditAnnotationCondition{Key: each.Key, ValueExpression: each.ValueExpression}
	}
	var matcher matchconditions.Matcher
	if filter := compiler.compile("spec.matchConditions[%d].expression", conditions, all); len(conditions) > 0 {
		matcher = matchconditions.NewMatcher(filter, spec.FailurePolicy, "policy", "validate", definition.Name)
	}
	filter := compiler.compile("spec.validations[%d].expression", validations, all)
	annotation := compiler.compile("spec.auditAnnotations[%d].valueExpression", annotations, all)
	message := compiler.compile("spec.validations[%d].messageExpression", messages, forMessages)
	return &policy{
		ValidatingAdmissionPolicy: definition,
		validator:                 validating.NewValidator(filter, matcher, annotation, message, spec.FailurePolicy, nil),
		confidential:              validating.NewValidator(filter, matcher, nothing{}, nothing{}, spec.FailurePolicy, nil),
	}, compiler.found
}

func (compiler *compiler) compile(path string, expressions []cel.ExpressionAccessor, declarations cel.OptionalVariableDeclarations) cel.ConditionEvaluator {
	if !slices.ContainsFunc(expressions, func(each cel.ExpressionAccessor) bool { return each != nil }) {
		return nothing{}
	}
	evaluator := compiler.CompileCondition(expressions, declarations, newest)
	if len(evaluator.CompilationErrors()) > 0 {
		for index, each := range expressions {
			if each != nil {
				compiler.note(fmt.Sprintf(path, index), compiler.CompileCELExpression(each, declarations, newest))
			}
		}
	}
	return evaluator
}

func (compiler *compiler) note(path string, result cel.CompilationResult) {
	if result.Error != nil {
		compiler.found = append(compiler.found, fieldError{path, inOneLine(result.Error.Detail)})
	}
}

// nothing evaluates no expression. Kubernetes' own evaluators convert object and request before they find that there is none.
type nothing struct{}

func (nothing) ForInput(_ context.Context, _ *admission.VersionedAttributes, _ *admissionv1.AdmissionRequest, _ cel.OptionalVariableBindings, _ *corev1.Namespace, budget int64) ([]cel.EvaluationResult, int64, error) {
	return nil, budget, nil
}

func (nothing) CompilationErrors() []error { return nil }

// inOneLine leaves out the lines that show the expression again.
func inOneLine(detail string) string {
	var reasons []string
	for line := range strings.Lines(strings.TrimPrefix(detail, "compilation failed: ")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "|") {
			reasons = append(reasons, strings.TrimPrefix(line, "ERROR: <input>:"))
		}
	}
	return strings.Join(reasons, "; ")
}
