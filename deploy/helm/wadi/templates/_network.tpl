{{- /*
What a service may be reached by and what it may reach. Input: root, name, optional callers and calls (services), optional namespaces (of other callers), optional open (from
everywhere), optional asksApi (the Kubernetes API), optional outside (ports of servers outside of Wadi).
*/ -}}
{{- define "wadi.networkPolicy" -}}
{{- $network := .root.Values.network }}
{{- if $network.policies }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: wadi-{{ .name }}
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "wadi.labels" .name | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if .open }}
    - ports:
        - port: http
    {{- else if .callers }}
    - from:
        {{- range .callers }}
        - podSelector:
            matchLabels:
              {{- include "wadi.labels" . | nindent 14 }}
        {{- end }}
        {{- range .namespaces }}
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: {{ . }}
        {{- end }}
      ports:
        - port: {{ .port | default "http" }}
    {{- end }}
    {{- /* Redis has none, and a controller may take a port that is not there for any. */}}
    {{- if and $network.metricsNamespace (ne .name "redis") }}
    - from:
        - namespaceSelector:
            matchLabels:
              kubernetes.io/metadata.name: {{ $network.metricsNamespace }}
      ports:
        - port: metrics
    {{- end }}
  {{- if or .calls .outside .asksApi }}
  egress:
    # DNS
    - ports:
        - { port: 53, protocol: UDP }
        - { port: 53, protocol: TCP }
    {{- if .calls }}
    - to:
        {{- range .calls }}
        - podSelector:
            matchLabels:
              {{- include "wadi.labels" . | nindent 14 }}
        {{- end }}
      ports:
        - port: 8080
        {{- if has "redis" .calls }}
        - port: 6379
        {{- end }}
    {{- end }}
    {{- $ports := .outside }}
    {{- if .asksApi }}
    {{- $ports = concat ($ports | default list) $network.apiServerPorts }}
    {{- end }}
    {{- with $ports }}
    - ports:
        {{- range . | uniq }}
        - port: {{ . }}
        {{- end }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* How many pods may be away on purpose. Input: the name of a service. */ -}}
{{- define "wadi.disruptionBudget" -}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: wadi-{{ . }}
  labels:
    {{- include "wadi.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  # A pod that is not ready anyway does not keep a node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "wadi.labels" . | nindent 6 }}
{{- end }}

{{- /* Input: name, optional headless (callers look up its pods). */ -}}
{{- define "wadi.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: wadi-{{ .name }}
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
spec:
  {{- if .headless }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "wadi.labels" .name | nindent 4 }}
  ports:
    - name: http
      port: 8080
      targetPort: http
    - name: metrics
      port: 9090
      targetPort: metrics
{{- if .headless }}
---
# Leads to any ready pod.
apiVersion: v1
kind: Service
metadata:
  name: wadi-{{ .name }}-any
  labels:
    {{- include "wadi.labels" .name | nindent 4 }}
spec:
  selector:
    {{- include "wadi.labels" .name | nindent 4 }}
  ports:
    - name: http
      port: 8080
      targetPort: http
{{- end }}
{{- end }}
