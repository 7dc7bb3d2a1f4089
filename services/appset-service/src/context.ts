import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import type { AppsetServiceEvents } from './events.ts'
import type { GeneratedMemo } from './generated-memo.ts'
import type { InputSources } from './inputs/run-inputs.ts'

/** What one ApplicationSet may generate. */
export interface GenerationLimits {
  applications: number
  /** All Applications together as JSON. */
  bytes: number
  /** The time of one call. */
  milliseconds: number
}

/** What the RPCs of appset-service work with. */
export interface AppsetServiceContext extends InputSources {
  /** The engine for Go templates, which only the sets that ask for it need. */
  loadTemplates: () => Promise<TemplateEngine>
  limits: GenerationLimits
  memo: GeneratedMemo
  events: AppsetServiceEvents
}
