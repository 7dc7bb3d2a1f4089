{{- define "workload-library.labels" -}}
app.kubernetes.io/name: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "workload-library.statefulset" -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "workload-library.labels" . | nindent 4 }}
spec:
  serviceName: {{ .Release.Name }}
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {{- include "workload-library.labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "workload-library.labels" . | nindent 8 }}
    spec:
      containers:
        - name: broker
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
          env:
            - name: CLUSTER_NAME
              value: {{ .Values.clusterName | quote }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: {{ .Values.storage }}
{{- end -}}
