import { Button } from '@mantine/core'
import { TextFilter } from '../../../components/text-filter.tsx'
import { ValueFilter } from '../../../components/value-filter.tsx'
import type { ApplicationName } from '../application-name.ts'
import { objectListRequest, useObjectCounts } from './object-pages.ts'
import { noNamespace, type ObjectSearch } from './object-search.ts'
import { t } from '../../../language/t.ts'

interface ObjectFiltersProps {
  name: ApplicationName
  newest: { hydratedSha: string; namespaces: readonly string[] }
  search: ObjectSearch
  narrow: (change: ObjectSearch) => void
}

/** Narrows the list by text, kind and namespace; the address has it all. */
export function ObjectFilters({ name, newest, search, narrow }: ObjectFiltersProps) {
  const { text, kind, within } = search
  const all = useObjectCounts(objectListRequest(name, newest.hydratedSha, {}))
  const kinds = all.data?.kinds ?? []
  const isNarrowed = text !== undefined || kind !== undefined || within !== undefined
  return (
    <>
      <TextFilter
        label={t('Kind, name, namespace or text')}
        text={text}
        narrow={(value) => narrow({ text: value })}
      />
      <ValueFilter
        label={t('Kind')}
        data={kinds.map((one) => ({ value: one.kind, label: `${one.kind} (${one.total})` }))}
        chosen={kind}
        choose={(values) => narrow({ kind: values })}
      />
      <ValueFilter
        label={t('Namespace')}
        data={newest.namespaces.map((value) =>
          value === '' ? { value: noNamespace, label: t('no namespace') } : { value, label: value },
        )}
        chosen={within}
        choose={(values) => narrow({ within: values })}
      />
      {isNarrowed && (
        <Button
          variant="subtle"
          onClick={() => narrow({ text: undefined, kind: undefined, within: undefined })}
        >
          {t('Clear')}
        </Button>
      )}
    </>
  )
}
