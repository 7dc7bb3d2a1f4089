import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import type { AppsetServiceEvents } from './events.ts'

/** What one ApplicationSet may generate. */
export interface GenerationLimits {
  applications: number
  /** All Applications together as JSON. */
  bytes: number
}

/** What the RPCs of appset-service work with. */
export interface AppsetServiceContext {
  /** The engine for Go templates, which only the sets that ask for it need. */
  loadTemplates: () => Promise<TemplateEngine>
  limits: GenerationLimits
  events: AppsetServiceEvents
}
