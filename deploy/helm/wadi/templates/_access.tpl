{{- /*
The account of a service and its rights. Input: root, name, optional rules (in the namespace of the release) and applicationRules (there
and in every namespace with Applications).
*/ -}}
{{- define "wadi.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: wadi-{{ .name }}
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
automountServiceAccountToken: false
{{- $rules := compact (list .applicationRules .rules) }}
{{- if $rules }}
{{ include "wadi.role" (dict "root" .root "name" .name "rules" (join "\n" $rules)) }}
{{- end }}
{{- if .applicationRules }}
{{- $patterns := include "wadi.hasPatterns" .root }}
{{- if $patterns }}
{{ include "wadi.role" (dict "root" .root "name" .name "kind" "ClusterRole" "shared" true "rules" .applicationRules) }}
{{- else }}
{{- range without .root.Values.applicationNamespaces .root.Release.Namespace }}
{{ include "wadi.role" (dict "root" $.root "name" $.name "namespace" . "shared" true "rules" $.applicationRules) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /*
A role and its binding to the account of a service. Input: root, name, rules, optional part (of the rights, where there are several roles), optional namespace,
optional kind, optional shared (whether other installations may have one of that name beside it).
*/ -}}
{{- define "wadi.role" -}}
{{- $kind := .kind | default "Role" }}
{{- $name := join "-" (compact (list "wadi" .name .part)) }}
{{- if .shared }}
{{- $name = printf "%s-of-%s" $name .root.Release.Namespace }}
{{- end -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}
metadata:
  name: {{ $name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
rules:
  {{- .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ $kind }}Binding
metadata:
  name: {{ $name }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ $kind }}
  name: {{ $name }}
subjects:
  - kind: ServiceAccount
    name: wadi-{{ .name }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{- /* Not empty if namespaces with Applications are given by globs or regular expressions, which only rights on the cluster can cover. */ -}}
{{- define "wadi.hasPatterns" -}}
{{- range .Values.applicationNamespaces }}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" .) }}yes{{ end }}
{{- end }}
{{- end }}

{{- /* What a service may do with the Secrets that services share. Input: root, name, verbs. */ -}}
{{- define "wadi.credentials" -}}
{{- $rules := printf "- apiGroups: ['']\n  resources: [secrets]\n  verbs: %s" .verbs }}
{{- include "wadi.role" (dict "root" .root "name" .name "part" "credentials" "namespace" .root.Values.credentials.namespace "rules" $rules) }}
{{- end }}

{{- /* What repo-server and commit-server may do with the Secrets of their credentials. */ -}}
{{- define "wadi.credentialVerbs" -}}
{{- ternary "[get, list, watch, create, update, delete]" "[get, list, watch]" .Values.repositoriesThroughApi }}
{{- end }}

{{- /* What services that connect to servers read of them. */ -}}
{{- define "wadi.trustRules" -}}
# Which servers are trusted.
- apiGroups: ['']
  resources: [configmaps]
  resourceNames: [argocd-tls-certs-cm, argocd-ssh-known-hosts-cm]
  verbs: [get, list, watch]
{{- end }}
