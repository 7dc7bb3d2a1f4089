import type { ErrorFields } from '@wadi/errors/error-fields.ts'
import type { TextsRequest } from './render-texts.ts'
import type { PackageTemplateRequest } from './template.ts'

/** What a thread does with one template, or with several texts. */
export type TemplateJob =
  | ({ readonly kind: 'render' } & PackageTemplateRequest)
  | { readonly kind: 'inspect'; readonly name: string; readonly text: string }
  | ({ readonly kind: 'texts'; readonly name: string } & TextsRequest)

/** What a thread found: the rendered text, or JSON of what the template names or of all texts, or why there is none. */
export type TemplateAnswer = {
  /** Processor time, which other programs of a busy machine do not make longer. */
  readonly milliseconds: number
} & ({ readonly output: string } | { readonly failure: ErrorFields })
