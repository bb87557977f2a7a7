// Types that models are made of: an app that imports ObjectStore alone can write models with them.

@_exported import struct DataModel.Decimal128
@_exported import struct DataModel.ObjectId
@_exported import struct DataModel.ObjectSchema
@_exported import struct DataModel.Property
@_exported import enum DataModel.PropertyType
@_exported import struct DataModel.Schema
