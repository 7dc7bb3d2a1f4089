import type { TextsRequest } from './render-texts.ts'
import type { PackageTemplateRequest } from './template.ts'

/** A thread's work on one template, or on several texts, whose output is JSON unless one is rendered. */
export type TemplateJob =
  | ({ readonly kind: 'render' } & PackageTemplateRequest)
  | { readonly kind: 'inspect'; readonly name: string; readonly text: string }
  | ({ readonly kind: 'texts'; readonly name: string } & TextsRequest)
