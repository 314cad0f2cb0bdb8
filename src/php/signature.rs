//! A method as it is declared: its arguments with true types, its result, and what may be left out.

use ext_php_rs::args::Arg;
use ext_php_rs::builders::FunctionBuilder;
use ext_php_rs::error::Result;
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::{ExecuteData, FunctionEntry};

/// The engine's MAY_BE_* bits: which types a value may have.
#[derive(Clone, Copy)]
pub struct Types(pub(super) u32);

impl Types {
    pub const NULL: Types = Types(1 << 1);
    pub const BOOL: Types = Types(1 << 2 | 1 << 3);
    pub const INT: Types = Types(1 << 4);
    pub const FLOAT: Types = Types(1 << 5);
    pub const STRING: Types = Types(1 << 6);
    pub const ARRAY: Types = Types(1 << 7);

    pub const fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }
}

pub type Handler = extern "C" fn(&mut ExecuteData, &mut Zval);

/// A method, its arguments, and those whose type is wider than ext-php-rs can say.
pub struct Method {
    pub(super) name: &'static str,
    function: FunctionBuilder<'static>,
    flags: MethodFlags,
    wider: Vec<(usize, Types)>,
    pub(super) sensitive: Option<u32>,
}

impl Method {
    pub fn new(name: &'static str, handler: Handler) -> Self {
        Method {
            name,
            function: FunctionBuilder::new(name, handler),
            flags: MethodFlags::Public,
            wider: vec![],
            sensitive: None,
        }
    }

    pub fn flags(mut self, flags: MethodFlags) -> Self {
        self.flags = flags;
        self
    }

    pub fn argument(mut self, argument: Arg<'static>) -> Self {
        self.function = self.function.arg(argument);
        self
    }

    /// An argument `int|float|string`; `position` counts from 0.
    pub fn interval(mut self, position: usize, default: Option<&str>) -> Self {
        let argument = Arg::new("interval", DataType::Long);
        self.wider.push((position, Types::INT.or(Types::FLOAT).or(Types::STRING)));
        self.argument(match default {
            Some(default) => argument.default(default),
            None => argument,
        })
    }

    pub fn int(self, name: &str) -> Self {
        self.argument(Arg::new(name, DataType::Long))
    }

    pub fn int_or(self, name: &str, default: &str) -> Self {
        self.argument(Arg::new(name, DataType::Long).default(default))
    }

    pub fn flag(self, name: &str, default: &str) -> Self {
        self.argument(Arg::new(name, DataType::Bool).default(default))
    }

    /// The argument at `position` (from 0) is left out of stack traces, as #[\SensitiveParameter] does.
    pub fn sensitive(mut self, position: u32) -> Self {
        self.sensitive = Some(position);
        self
    }

    /// From here on arguments may be left out.
    pub fn optional(mut self) -> Self {
        self.function = self.function.not_required();
        self
    }

    pub fn returns(mut self, types: DataType) -> Self {
        self.function = self.function.returns(types, false, false);
        self
    }

    pub(super) fn build(self) -> Result<FunctionEntry> {
        let (mut entry, mut arguments) = self.function.build()?;
        for (position, types) in self.wider {
            if let Some(argument) = arguments.get_mut(position + 1) {
                argument.type_.type_mask |= types.0;
            }
        }
        entry.flags |= self.flags.bits();
        // The engine keeps pointing into the argument table for the life of the process.
        Box::leak(arguments);
        Ok(entry)
    }
}
