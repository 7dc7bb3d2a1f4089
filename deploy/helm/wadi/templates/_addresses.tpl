{{- /* The addresses of the ready pods of a service, which callers look up. Input: root, name. */ -}}
{{- define "wadi.addresses" -}}
srv+http://_http._tcp.wadi-{{ .name }}.$(WADI_NAMESPACE).svc.{{ .root.Values.clusterDomain }}
{{- end }}

{{- /* The service that users reach. */ -}}
{{- define "wadi.front" -}}
{{- ternary "wadi-mesh" "wadi-api-gateway" (eq .Values.shape "small") }}
{{- end }}
