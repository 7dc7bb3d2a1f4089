/** Copies a text. @throws Error if the browser does not let the page copy */
export async function copyText(text: string): Promise<void> {
  // Without TLS a page has no clipboard; what is selected can be copied all the same.
  if (isSecureContext) await navigator.clipboard.writeText(text)
  else copySelected(text)
}

function copySelected(text: string): void {
  const place = document.createElement('span')
  place.textContent = text
  document.body.append(place)
  getSelection()?.selectAllChildren(place)
  const isCopied = document.execCommand('copy')
  place.remove()
  if (!isCopied) throw new Error('the browser does not let this page copy')
}
