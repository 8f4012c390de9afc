/** The version in package.json; a test holds them together. */
export const GOV_VERSION = '0.1.0';
