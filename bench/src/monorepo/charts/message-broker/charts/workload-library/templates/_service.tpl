{{- define "workload-library.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .root.Release.Name }}
  labels: {{- include "workload-library.labels" .root | nindent 4 }}
spec:
  clusterIP: None
  selector: {{- include "workload-library.labels" .root | nindent 4 }}
  ports:
    - port: {{ .port }}
{{- end -}}
