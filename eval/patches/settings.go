package patches

// SettingsFile is the file in which `patches describe` records, in a folder of
// descriptors, what it did.
const SettingsFile = "settings.json"
