{{- /* The labels that a service selects its pods by. Input: its name. */ -}}
{{- define "wadi.labels" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/part-of: wadi
{{- end }}

{{- /* The labels and annotations of a pod. Input: root, name, values. */ -}}
{{- define "wadi.podMetadata" -}}
{{- if not (hasKey .root.Values "podLabels") }}
{{- fail "podLabels is missing: helm upgrade --reuse-values leaves out what former versions of the chart did not have; use --reset-then-reuse-values" }}
{{- end -}}
labels:
  {{- include "wadi.labels" .name | nindent 2 }}
  {{- with merge (dict) (.values.podLabels | default dict) .root.Values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (.values.podAnnotations | default dict) .root.Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* What is added to the pods of services: those of all, then the service's own. Input: root, name, values, list (extraEnv, extraVolumes, extraVolumeMounts). */ -}}
{{- define "wadi.extra" -}}
{{- if ne .name "redis" }}
{{- with concat (index .root.Values .list) (index .values .list | default list) }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Settings as environment variables. Input: root, values (of the service), defaults. */ -}}
{{- define "wadi.environment" -}}
- name: WADI_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- range $name, $value := merge (dict) .values.settings .root.Values.settings .defaults }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "wadi.extra" (merge (dict "list" "extraEnv") .) }}
{{- end }}

{{- /* Argo CD's settings for the key of hydrated commits, where no value sets Wadi's. Input: root, values. */ -}}
{{- define "wadi.signingEnvironment" -}}
{{- $settings := merge (dict) .values.settings .root.Values.settings }}
{{- if not (or (hasKey $settings "WADI_SIGNING_KEY_PATH") (hasKey $settings "WADI_SIGNING_KEY_PASSPHRASE_FILE")) }}
- name: WADI_SIGNING_KEY_PATH
  valueFrom:
    configMapKeyRef: { name: argocd-cmd-params-cm, key: commitserver.signing.key.path, optional: true }
- name: WADI_SIGNING_KEY_PASSPHRASE_FILE
  valueFrom:
    configMapKeyRef: { name: argocd-cmd-params-cm, key: commitserver.signing.key.passphrase.file, optional: true }
{{- end }}
{{- end }}

{{- /* The volume with the key of hydrated commits, empty where there is no such Secret. Input: root. */ -}}
{{- define "wadi.signingVolume" -}}
- name: signing
  secret: { secretName: {{ .root.Values.signing.secret }}, defaultMode: 0440, optional: true }
{{- end }}

{{- define "wadi.signingMount" -}}
- { name: signing, mountPath: /app/config/gpg/signing, readOnly: true }
{{- end }}

{{- /* The settings of services that keep objects in the cluster. */ -}}
{{- define "wadi.storeSettings" -}}
WADI_STORE: kubernetes
WADI_CREDENTIALS_NAMESPACE: {{ .Values.credentials.namespace }}
{{- with .Values.installation }}
WADI_INSTALLATION: {{ . | quote }}
{{- end }}
{{- with .Values.applicationNamespaces }}
WADI_APPLICATION_NAMESPACES: {{ join "," . | quote }}
{{- end }}
{{- end }}

{{- /* What every pod of Wadi has. Input: root, name, grace (seconds), optional token (whether it asks the Kubernetes API). */ -}}
{{- define "wadi.podBasics" -}}
serviceAccountName: wadi-{{ .name }}
automountServiceAccountToken: {{ .token | default false }}
enableServiceLinks: false
# The pause before SIGTERM, the time to drain and 15 s to end.
terminationGracePeriodSeconds: {{ .grace }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- range $key := list "nodeSelector" "tolerations" "priorityClassName" }}
{{- with index $.values $key | default (index $.root.Values $key) }}
{{ toYaml (dict $key .) }}
{{- end }}
{{- end }}
affinity:
  {{- with .values.affinity | default .root.Values.affinity }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: topology.kubernetes.io/zone
          labelSelector:
            matchLabels:
              {{- include "wadi.labels" .name | nindent 14 }}
  {{- end }}
securityContext:
  runAsNonRoot: true
  {{- with .root.Values.runAsUser }}
  runAsUser: {{ . | int }}
  runAsGroup: {{ . | int }}
  fsGroup: {{ . | int }}
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
# Not of zones too: where nodes have no zone, Kubernetes would ignore all of them. In a rollout, pods that go do not count.
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "wadi.labels" .name | nindent 8 }}
    matchLabelKeys: [pod-template-hash, controller-revision-hash]
{{- end }}

{{- /* The rights that no container needs. */ -}}
{{- define "wadi.noRights" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- /* The container of a service. Input: root, name, values, optional ready (path). Its env and volumeMounts follow. */ -}}
{{- define "wadi.containerBasics" -}}
image: {{ .root.Values.image }}
imagePullPolicy: {{ .root.Values.imagePullPolicy }}
args: [{{ .name }}]
ports:
  - name: http
    containerPort: 8080
  - name: metrics
    containerPort: 9090
# The first start fills caches, on a busy node for minutes; then probes ask this process alone, never what it depends on.
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ .ready | default "/readyz" }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 6
# What a start fails with is in the status of the pod.
terminationMessagePolicy: FallbackToLogsOnError
# Callers hear of the end before the port closes.
lifecycle:
  preStop:
    sleep: { seconds: 5 }
resources:
  {{- toYaml .values.resources | nindent 2 }}
{{ include "wadi.noRights" . }}
{{- end }}

{{- /* The volume with some keys of the Secret. Input: root, keys. */ -}}
{{- define "wadi.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ .root.Values.secrets.existing | default "wadi-secrets" }}
    defaultMode: 0440
    items:
      {{- range .keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}

{{- /*
A token of the pod's account for each service that it calls, by which that service knows it; the kubelet renews them. Input: names of services.
*/ -}}
{{- define "wadi.tokenVolume" -}}
- name: tokens
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - serviceAccountToken: { audience: wadi-{{ . }}, expirationSeconds: 3600, path: {{ . }} }
      {{- end }}
{{- end }}

{{- /* Input: root, name, values, optional secrets and tokens (whether there are such volumes). */ -}}
{{- define "wadi.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if .secrets }}
- { name: secrets, mountPath: /secrets, readOnly: true }
{{- end }}
{{- if .tokens }}
- { name: tokens, mountPath: /var/run/secrets/wadi, readOnly: true }
{{- end }}
{{- include "wadi.extra" (merge (dict "list" "extraVolumeMounts") .) }}
{{- end }}

{{- /* Directories that end with the pod. Input: root, name, values. */ -}}
{{- define "wadi.scratchVolumes" -}}
- name: tmp
  emptyDir: {}
- name: data
  emptyDir: {}
{{- include "wadi.extra" (merge (dict "list" "extraVolumes") .) }}
{{- end }}

{{- /* The volumes of a service that keeps files. Input: root, name, values. */ -}}
{{- define "wadi.storedVolumes" -}}
- name: tmp
  emptyDir: {}
{{- if not .values.storage }}
- name: data
  emptyDir: {}
{{- end }}
{{- include "wadi.extra" (merge (dict "list" "extraVolumes") .) }}
{{- end }}

{{- define "wadi.claims" -}}
{{- if .values.storage }}
persistentVolumeClaimRetentionPolicy:
  whenDeleted: Retain
  whenScaled: {{ .whenScaled | default "Delete" }}
volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      {{- include "wadi.claim" .values | nindent 6 }}
{{- end }}
{{- end }}

{{- /* The volume that a service asks for. Input: its values. */ -}}
{{- define "wadi.claim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .storage }}
{{- end }}

{{- /* A rollout that starts the new pod before it ends the old one. */ -}}
{{- define "wadi.rollout" -}}
strategy:
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
{{- end }}
