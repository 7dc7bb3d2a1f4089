import { Select } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'
import type { InstalledTool } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { ErrorText } from '../../components/error-text.tsx'
import { toolTitle } from '../../words/tool-title.ts'
import { t } from '../../language/t.ts'
import { byName } from '../../words/by-name.ts'

interface VersionSelectProps {
  tool: 'helm' | 'kustomize'
  value?: string | null
  onChange?: (version: string | null) => void
}

/** Offers the versions of a tool that the installation has; one of the address that it does not have stays chosen. */
export function VersionSelect({ tool, value = null, onChange }: VersionSelectProps) {
  const answer = useQuery(ToolService.method.listTools, {})
  const installed = usableVersions(answer.data?.tools ?? [], tool)
  const isAlone = installed.size === 1
  if (value !== null && !installed.has(value))
    installed.set(value, answer.data ? t('{version}, not installed', { version: value }) : value)
  const options = Array.from(installed, ([version, label]) => ({ value: version, label }))
  return (
    <Select
      label={t('{tool} version', { tool: toolTitle(tool) })}
      placeholder={t('as now')}
      data={options.toSorted((one, other) => byName(other.value, one.value))}
      value={value}
      {...(onChange && { onChange })}
      {...(isAlone && { description: t('No other version is installed; see “wadi tools add”.') })}
      {...(answer.isError && {
        error: t.rich('The versions cannot be listed: <reason></reason>', {
          reason: <ErrorText error={answer.error} />,
        }),
      })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      clearable
      miw={200}
      flex="1 1 200px"
      maw={{ xs: 320 }}
    />
  )
}

/** The labels of the versions that can render. */
function usableVersions(tools: readonly InstalledTool[], name: string): Map<string, string> {
  const labels = new Map<string, string>()
  for (const tool of tools) {
    // The same version may be installed twice; the first one is the installation's own.
    if (tool.name !== name || tool.error !== '' || labels.has(tool.version)) continue
    labels.set(
      tool.version,
      tool.isDefault ? t('{version}, the installation’s own', { version: tool.version }) : tool.version,
    )
  }
  return labels
}
