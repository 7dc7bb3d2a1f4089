{{- /*
The addresses of the ready pods of a service, which callers look up, and the one that leads to any of them: name servers may remember for
half a minute that there was none. Input: root, name.
*/ -}}
{{- define "wadi.addresses" -}}
{{- $domain := printf "$(WADI_NAMESPACE).svc.%s" .root.Values.clusterDomain -}}
srv+http://_http._tcp.wadi-{{ .name }}.{{ $domain }},spare+http://wadi-{{ .name }}-any.{{ $domain }}:8080
{{- end }}

{{- /* The service that users reach. */ -}}
{{- define "wadi.front" -}}
{{- ternary "wadi-mesh" "wadi-api-gateway" (eq .Values.shape "small") }}
{{- end }}
