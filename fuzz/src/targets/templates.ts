import { loadTemplateEngine } from '@wadi/engines/templates/template.ts'
import { type Target, textBase } from '../target.ts'

const template = `{{- define "name" }}{{ .name | default "x" | trunc 63 | trimSuffix "-" }}{{ end -}}
{{ range $index, $item := .items }}{{ if and (gt $index 0) (ne $item "b") }},{{ end }}{{ $item | quote | indent 2 }}{{ else }}none{{ end }}
{{ with .map }}{{ range $key, $value := . }}{{ printf "%s=%v" $key $value }}{{ end }}{{ end }}
{{ template "name" . }} {{ index .items 1 }} {{ .missing | toJson }} {{ regexReplaceAll "a(x*)b" .name "\${1}" }}
`

const data = { name: 'web', items: ['a', 'b'], map: { a: 1, b: [true, null] } }

/** Go templates, rendered with data. */
export const templateTargets: readonly Target[] = [
  {
    name: 'go-templates',
    bases: [textBase('template', template)],
    async read(input) {
      const engine = await loadTemplateEngine()
      engine.render({ name: 'template', text: input.toString(), data, textMaps: [], missingKey: 'default' })
    },
  },
]
