import { MultiSelect } from '@mantine/core'

interface ValueFilterProps {
  label: string
  data: readonly (string | { value: string; label: string })[]
  chosen: string[] | undefined
  /** Is called with undefined for no value. */
  choose: (values: string[] | undefined) => void
}

/** Narrows a list to the chosen values. */
export function ValueFilter({ label, data, chosen = [], choose }: ValueFilterProps) {
  return (
    <MultiSelect
      aria-label={label}
      placeholder={chosen.length > 0 ? '' : label}
      data={data}
      value={chosen}
      onChange={(values) => choose(values.length > 0 ? values : undefined)}
      searchable
      clearable
      flex="1 1 150px"
      maw={{ xs: 260 }}
    />
  )
}
