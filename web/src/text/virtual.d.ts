declare module 'virtual:text/*' {
  const messages: import('./text.svelte').Catalogue;
  export default messages;
}
