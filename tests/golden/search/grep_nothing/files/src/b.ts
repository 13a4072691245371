export const delta = 1;
