package records

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"

	"descbench/eval/distractors"
	"descbench/eval/record"
)

// A column is a field of a record type and the Parquet column that stores it. Two
// tags of the field describe it: parquet has the column's name, null the value that
// means missing and is stored as NULL, or the name of another column whose NULLs the
// column shares.
type column struct {
	name   string
	kind   reflect.Kind // String, Bool, Int32, Int64, Float32 or Float64
	offset uintptr      // of the field in the record, bytes

	optional bool
	absent   float64 // the field's value where the column is NULL; of a text always ""
	with     *column // the column whose NULLs it shares; nil if absent decides
}

// columnsOf returns the columns of a record type in the order of its fields, and a
// schema, which begins with the column of an experiment's name if that is wanted. It
// panics if the tags of the type are wrong, which every use shows.
func columnsOf(record reflect.Type, experiment bool) ([]column, *parquet.Schema) {
	columns := make([]column, record.NumField())
	var stored []reflect.StructField
	if experiment {
		stored = append(stored, reflect.StructField{Name: "Experiment", Type: reflect.TypeFor[string](), Tag: `parquet:"` + experimentColumn + `,dict"`})
	}
	place := make(map[string]*column)
	for i := range columns {
		f := record.Field(i)
		tag := f.Tag.Get("parquet")
		name, _, _ := strings.Cut(tag, ",")
		c := &columns[i]
		*c = column{name: name, kind: f.Type.Kind(), offset: f.Offset}
		if null, ok := f.Tag.Lookup("null"); ok {
			c.optional = true
			tag += ",optional"
			var err error
			if c.absent, err = strconv.ParseFloat(null, 64); err != nil && c.kind == reflect.String {
				c.absent = 0
			} else if err != nil {
				if c.with = place[null]; c.with == nil {
					panic(fmt.Sprintf("%v: field %s is null where %q is", record, f.Name, null))
				}
				c.absent = 0
			}
		}
		place[name] = c
		stored = append(stored, reflect.StructField{Name: f.Name, Type: f.Type, Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s"`, tag))})
	}
	row := reflect.Zero(reflect.StructOf(stored)).Interface()
	return columns, parquet.NewSchema(record.Name(), parquet.SchemaOf(row))
}

type number interface {
	int32 | int64 | float32 | float64
}

// A table is the address and shape of a slice of records. Reaching the fields
// through it takes a tenth of the time of package reflect.
type table struct {
	first unsafe.Pointer
	size  uintptr // of a record, bytes
}

func tableOf[T Record](rows []T) table {
	var row T
	return table{unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(row)}
}

// from returns the table without the first n records.
func (t table) from(n int) table {
	return table{unsafe.Add(t.first, uintptr(n)*t.size), t.size}
}

// of returns the fields of a column in the records.
func (t table) of(c *column) table {
	return table{unsafe.Add(t.first, c.offset), t.size}
}

// field returns the address of field i in what table.of has returned.
func field[V any](t table, i int) *V {
	return (*V)(unsafe.Add(t.first, uintptr(i)*t.size))
}

// Schemas returns a text that tells the columns of all records, and their version, from others.
func Schemas() string {
	text := recordsVersion
	for _, record := range []reflect.Type{reflect.TypeFor[record.Query](), reflect.TypeFor[record.Pair](), reflect.TypeFor[distractors.WorkbenchRecord](), reflect.TypeFor[distractors.BojanicRecord]()} {
		for field := range record.Fields() {
			text += fmt.Sprintf("\n%v.%s %v %s", record, field.Name, field.Type, field.Tag)
		}
	}
	return text
}
