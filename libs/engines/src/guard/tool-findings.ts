import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { listTools } from '@wadi/renderer-tools/list-tools.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'
import { slowTools } from './fast-versions.ts'

/** Finds programs that are missing or not used, versions that cannot be used, and those that render slowly. */
export async function toolFindings(findTools: () => Promise<Tools>): Promise<Finding[]> {
  let tools: Tools
  try {
    tools = await findTools()
  } catch (error) {
    const remedy = 'correct WADI_HELM or WADI_KUSTOMIZE, or remove it: Wadi brings both programs'
    return [{ severity: 'error', area: 'tools', message: errorMessage(error), remedy }]
  }
  const listed = await listTools(tools)
  return [
    ...(tools.passedOver ?? []).map((message): Finding => ({
      severity: 'warning',
      area: 'tools',
      message,
      remedy: 'remove that program from PATH, or name one that can be used with WADI_HELM or WADI_KUSTOMIZE',
    })),
    ...listed.flatMap(({ name, version, error }): Finding[] => {
      if (error === '') return []
      const message = `${name} ${version} cannot be used: ${error}`
      const remedy = `wadi tools add ${name} ${version}${tools.isLocal ? '' : ' --remote'}`
      return [{ severity: 'warning', area: 'tools', message, remedy }]
    }),
    ...slowTools(tools).map((message): Finding => ({
      severity: 'info',
      area: 'tools',
      message,
      remedy: 'wadi diff --tools shows what another version would change',
    })),
  ]
}
