import type { PermissionRule } from './policy.ts'

/** Returns the line of a rule as a policy has it. */
export function ruleText({ subject, resource, action, object, effect }: PermissionRule): string {
  const fields = [subject, resource, action, object, effect].map((field) =>
    /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field,
  )
  return `p, ${fields.join(', ')}`
}
