import { useQuery } from '@connectrpc/connect-query'
import { PluginService } from '@wadi/protocol/gen/wadi/api_gateway/v1/plugin_service_pb.ts'
import { serverText } from '../../components/given-text.tsx'
import { SettingsTable } from './settings-table.tsx'
import { t } from '../../language/t.ts'

/** The config management plugins, and whether each answers. */
export function PluginsTab() {
  const answer = useQuery(PluginService.method.listPlugins, {})
  return (
    <SettingsTable
      what={t('The plugins')}
      answer={answer}
      rows={answer.data?.plugins}
      keyOf={({ name, endpoint }) => `${name} ${endpoint}`}
      empty={t('There are no plugins. Serve one with: wadi up --plugin FILE')}
      columns={{
        [t('Name')]: ({ name }) => name,
        [t('Finds its sources by')]: ({ discovery }) =>
          discovery === '' ? t('their name in the Application') : serverText(discovery),
        [t('Parameters')]: ({ parameters }) => parameters.map(({ name }) => name).join(', '),
        [t('State')]: ({ error }) => (error === '' ? t('answers') : serverText(error)),
      }}
    />
  )
}
