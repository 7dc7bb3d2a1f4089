import { useQuery } from '@connectrpc/connect-query'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { SettingsTable } from './settings-table.tsx'

/** The config management plugins, and whether each answers. */
export function PluginsTab() {
  const answer = useQuery(PluginService.method.listPlugins, {})
  return (
    <SettingsTable
      what="The plugins"
      answer={answer}
      rows={answer.data?.plugins}
      keyOf={({ name, endpoint }) => `${name} ${endpoint}`}
      empty="There are no plugins. Serve one with: wadi up --plugin FILE"
      columns={{
        Name: ({ name }) => name,
        'Finds its sources by': ({ discovery }) => discovery || 'their name in the Application',
        Parameters: ({ parameters }) => parameters.map(({ name }) => name).join(', '),
        State: ({ error }) => error || 'answers',
      }}
    />
  )
}
