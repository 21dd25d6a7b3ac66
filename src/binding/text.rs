//! Strings at the boundary.
#![allow(unsafe_code)] // napi's conversion traits are unsafe to implement

use napi::bindgen_prelude::{
    FromNapiValue, Result, ToNapiValue, TypeName, Utf16String, ValidateNapiValue,
};
use napi::{ValueType, check_status, sys};

use crate::json;

/// JSON text, for `JSON.parse`. Bytes that are not UTF-8 become U+FFFD.
pub struct Json(pub Vec<u8>);

impl TypeName for Json {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ToNapiValue for Json {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        // SAFETY: the caller vouches for `env`, which is only handed on; the bytes live until napi has
        // copied them.
        unsafe {
            if value.0.is_ascii() {
                // One byte a character: half the work for JSON.parse, and for the collector.
                let mut string = std::ptr::null_mut();
                let bytes = value.0.as_ptr().cast();
                let length = value.0.len().cast_signed();
                check_status!(sys::napi_create_string_latin1(env, bytes, length, &mut string))?;
                return Ok(string);
            }
            String::to_napi_value(env, String::from_utf8_lossy(&value.0).into_owned())
        }
    }
}

/// Text that keeps surrogates without a partner (WTF-8 on this side).
pub struct Text(pub Vec<u8>);

impl TypeName for Text {
    fn type_name() -> &'static str {
        "string"
    }

    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ValidateNapiValue for Text {}

impl FromNapiValue for Text {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        // SAFETY: the caller vouches for `env` and `value`, which are only handed on.
        let units = unsafe { Utf16String::from_napi_value(env, value)? };
        Ok(Text(json::from_utf16(&units)))
    }
}

impl ToNapiValue for Text {
    unsafe fn to_napi_value(env: sys::napi_env, value: Self) -> Result<sys::napi_value> {
        // SAFETY: the caller vouches for `env`, which is only handed on; the strings are owned.
        unsafe {
            match String::from_utf8(value.0) {
                Ok(text) => String::to_napi_value(env, text),
                Err(e) => Utf16String::to_napi_value(env, json::to_utf16(e.as_bytes()).into()),
            }
        }
    }
}
