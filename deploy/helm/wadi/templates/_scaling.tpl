{{- /*
The number of pods. Beside a scaler it is left out, but for an object that is there: without the field Kubernetes would set 1 before the scaler
looks. Input: root, name, kind, values.
*/ -}}
{{- define "wadi.replicas" -}}
{{- if not .root.Values.autoscaling.enabled -}}
replicas: {{ .values.replicas }}
{{- else -}}
{{- with (lookup "apps/v1" .kind .root.Release.Namespace (printf "wadi-%s" .name)).spec -}}
replicas: {{ .replicas }}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Pods by processor time. Input: root, name, kind, values. */ -}}
{{- define "wadi.scaling" -}}
{{- with .root.Values.autoscaling }}
{{- if .enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: wadi-{{ $.name }}
  labels:
    {{- include "wadi.labels" $.name | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ $.kind }}
    name: wadi-{{ $.name }}
  minReplicas: {{ $.values.replicas }}
  maxReplicas: {{ max (int .maxReplicas) (int $.values.replicas) }}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 300
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .cpuPercent }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The keys of the queue in Redis begin with it. KEDA counts lists and sorted sets. */ -}}
{{- define "wadi.queue" -}}
wadi:hydrated-branches
{{- end }}

{{- /* Hydrators by the branches in the queue where KEDA is installed, else by processor time. Never none: they poll the repositories. */ -}}
{{- define "wadi.hydrator.scaling" -}}
{{- if and .Values.autoscaling.enabled (.Capabilities.APIVersions.Has "keda.sh/v1alpha1/ScaledObject") }}
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: wadi-redis
  labels:
    {{- include "wadi.labels" "hydrator" | nindent 4 }}
spec:
  secretTargetRef:
    - parameter: password
      name: {{ .Values.secrets.existing | default "wadi-secrets" }}
      key: redis-password
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: wadi-hydrator
  labels:
    {{- include "wadi.labels" "hydrator" | nindent 4 }}
spec:
  scaleTargetRef:
    name: wadi-hydrator
  pollingInterval: 15
  minReplicaCount: {{ .Values.hydrator.replicas }}
  maxReplicaCount: {{ max (int .Values.autoscaling.maxReplicas) (int .Values.hydrator.replicas) }}
  # KEDA follows the larger of the two: what waits, and what runs, which must not be scaled away.
  triggers:
    {{- $concurrency := .Values.hydrator.settings.WADI_HYDRATION_CONCURRENCY | default .Values.settings.WADI_HYDRATION_CONCURRENCY | default 5 }}
    {{- range $list, $length := dict "prioritized" .Values.autoscaling.waitingBranches "active" $concurrency }}
    - type: redis
      metadata:
        address: {{ $.Values.redis.address | default (printf "wadi-queue.%s.svc.%s:6379" $.Release.Namespace $.Values.clusterDomain) }}
        listName: {{ include "wadi.queue" $ }}:{{ $list }}
        listLength: {{ $length | quote }}
      authenticationRef:
        name: wadi-redis
    {{- end }}
{{- else }}
{{- include "wadi.scaling" (dict "root" . "name" "hydrator" "kind" "Deployment" "values" .Values.hydrator) }}
{{- end }}
{{- end }}
