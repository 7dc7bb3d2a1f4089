import type { PackageTemplateRequest } from './template.ts'

/** What a thread does with one template. */
export type TemplateJob =
  | ({ readonly kind: 'render' } & PackageTemplateRequest)
  | { readonly kind: 'inspect'; readonly name: string; readonly text: string }

/** What a thread found: the rendered text, or JSON of what the template names, or why there is none. */
export type TemplateAnswer = { readonly milliseconds: number } & (
  | { readonly output: string }
  | { readonly failure: string; readonly isExhausted: boolean }
)
