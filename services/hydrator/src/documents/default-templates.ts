/** The README of the manifest-hydrator proposal, in the form of its example. */
export const defaultReadmeTemplate = `{{- if eq (len .applications) 1 -}}
{{- $name := (index .applications 0).metadata.name -}}
# {{ $name }} Manifests

{{ if .layout }}The files of this directory contain{{ else }}[manifest.yaml](./manifest.yaml) contains{{ end }} the hydrated manifests for the {{ $name }} application{{ if .layout }}, one object each{{ end }}.
{{- else -}}
# Manifests for {{ len .applications }} Applications

{{ if .layout }}The files of this directory contain{{ else }}[manifest.yaml](./manifest.yaml) contains{{ end }} the hydrated manifests for these applications{{ if .layout }}, one object each{{ end }}:
{{ range .applications }}
- {{ .metadata.name }}
{{- end }}
{{- end }}
{{- if .crds }}

CustomResourceDefinitions are {{ if eq .crds "omit" }}left out{{ else }}in crds.yaml{{ end }}.
{{- end }}

These are the details of the most recent change;
* Author: {{ .commitAuthor }}
* Message: {{ .commitMessage | replace "\\n" " " | replace "\\r" " " }}
* Time: {{ .commitTime }}

To reproduce the manifest hydration, do the following:

\`\`\`
{{- range .steps }}
{{ . }}
{{- end }}
\`\`\`
{{- if .tools }}

Rendered with {{ range $i, $tool := .tools }}{{ if $i }}, {{ end }}{{ $tool.name }} {{ $tool.version }}{{ end }}.
{{- end }}
`

/** Argo CD's commit message: short dry id and subject, body, then the authors of the dry commit and of its references. */
export const defaultCommitMessageTemplate = `{{ .metadata.drySha | trunc 7 }}: {{ .metadata.subject }}
{{- if .metadata.body }}

{{ .metadata.body }}
{{- end }}
{{ range .metadata.references }}
{{- if and .commit .commit.author }}
Co-authored-by: {{ .commit.author }}
{{- end }}
{{- end }}
{{- if .metadata.author }}
Co-authored-by: {{ .metadata.author }}
{{- end }}
`
