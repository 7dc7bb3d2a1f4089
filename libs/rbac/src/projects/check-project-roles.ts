import type { Resource } from '@wadi/resources/resource.ts'
import { readCsvRecord } from '../policy/csv-record.ts'
import { readProjectRoles } from './project-roles.ts'
import type { ProjectRole } from './project-roles.ts'

const roleName = /^[a-zA-Z0-9](?:[-_a-zA-Z0-9]*[a-zA-Z0-9])?$/
const resources = ['applications', 'applicationsets', 'logs', 'exec', 'secrets', 'clusters', 'repositories']
const actions = ['get', 'create', 'update', 'delete', 'sync', 'override', 'rollback', '*']

/**
 * Returns what Argo CD's API refuses in the roles of an AppProject, each with its field path; nothing when it would
 * accept them. Objects that are applied otherwise may break these rules and are evaluated all the same.
 * @throws InvalidInputError for fields of a wrong type.
 */
export function checkProjectRoles(project: Resource): string[] {
  const roles = readProjectRoles(project)
  const names = roles.map(({ name }) => name)
  return roles.flatMap((role, index) => {
    const at = `spec.roles[${index}]`
    return [
      ...nameErrors(role, names.indexOf(role.name) !== index, at),
      ...role.policies.flatMap((policy, line) =>
        policyErrors(policy, project.metadata.name, role).map((error) => `${at}.policies[${line}]: ${error}`),
      ),
      ...repeated(role.policies).map((line) => `${at}.policies[${line}]: the policy occurs twice`),
      ...role.groups.flatMap((group, line) =>
        groupErrors(group).map((error) => `${at}.groups[${line}]: ${error}`),
      ),
      ...repeated(role.groups).map((line) => `${at}.groups[${line}]: the group occurs twice`),
    ]
  })
}

function nameErrors({ name }: ProjectRole, isTaken: boolean, at: string): string[] {
  const shown = JSON.stringify(name)
  if (!roleName.test(name)) {
    return [
      `${at}.name: ${shown} must be letters, digits, "-" and "_", and begin and end with a letter or a digit`,
    ]
  }
  return isTaken ? [`${at}.name: two roles have the name ${shown}`] : []
}

function policyErrors(policy: string, project: string, role: ProjectRole): string[] {
  const parts = policy.split(',').map((part) => part.trim())
  const [kind, subject = '', resource = '', action = '', object = '', effect = ''] = parts
  if (parts.length !== 6 || kind !== 'p') {
    return ['must be "p", subject, resource, action, object and effect with commas between them']
  }
  const errors: string[] = []
  const expected = `proj:${project}:${role.name}`
  if (subject !== expected) errors.push(`the subject must be ${expected}, not ${JSON.stringify(subject)}`)
  if (!resources.includes(resource)) {
    errors.push(`the resource must be one of ${resources.join(', ')}, not ${JSON.stringify(resource)}`)
  }
  if (!actions.includes(action) && !/(?:action|update|delete)\//.test(action)) {
    errors.push(
      `the action must be one of ${actions.join(', ')}, action/…, update/… or delete/…, not ${JSON.stringify(action)}`,
    )
  }
  const [first = '', ...names] = object.split('/')
  if (
    first !== project ||
    ![1, 2].includes(names.length) ||
    !names.every((name) => /^[*\w.-]+$/.test(name))
  ) {
    errors.push(
      `the object must be ${project}/<name> or ${project}/<namespace>/<name> with letters, digits and *-._, not ${JSON.stringify(object)}`,
    )
  }
  if (effect !== 'allow' && effect !== 'deny') {
    errors.push(`the effect must be allow or deny, not ${JSON.stringify(effect)}`)
  }
  return errors
}

function groupErrors(group: string): string[] {
  if (group.trim() === '') return ['a group needs a name']
  if (/[\n\r\t]/.test(group)) return ['a group may not have line breaks or tabs']
  const record = readCsvRecord(group)
  if (typeof record !== 'string' && record.length === 1 && !record[0]?.includes('"')) return []
  return ['a group may have no quotes inside, and must be quoted if it has commas']
}

function repeated(texts: readonly string[]): number[] {
  return texts.flatMap((text, index) => (texts.indexOf(text) === index ? [] : [index]))
}
