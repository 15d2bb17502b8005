/** Spots in a link: the file, deflated, in the letters that links may have. Nothing of it reaches a server. */

function toText(data: Uint8Array): string {
  let binary = ''
  for (const byte of data) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

async function through(data: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([data]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

export async function packText(text: string): Promise<string> {
  return toText(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')))
}

/** The text of a link; throws if it is none. */
export async function unpackText(packed: string): Promise<string> {
  return new TextDecoder().decode(await through(toBytes(packed), new DecompressionStream('deflate-raw')))
}
