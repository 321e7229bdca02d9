/* names: spellings of many compilers and runtimes, and their components written out by hand */
#include "../../filters/classify/names.h"
#include "mem.h"
#include "unit.h"
#include <stdlib.h>

static struct names names;

/* Components with "::" between them. */
static struct pl_str shown(struct pl_str name)
{
	static struct pl_buf text;

	pl_buf_clear(&text);
	for (size_t i = 0; i + 1 < name.n; i++)
		if (name.p[i])
			pl_buf_addc(&text, name.p[i]);
		else
			pl_buf_addz(&text, "::");
	return pl_buf_str(&text);
}

struct row {
	const char *symbol, *want;
};

static void check_all(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pl_str got = names_of(&names, pl_str(rows[i].symbol));
		CHECK(got.n && got.p[got.n - 1] == '\0');
		got = shown(got);
		CHECK_STR(got.p, got.n, rows[i].want);
	}
}

TEST(c)
{
	static const struct row rows[] = {
		{"malloc", "malloc"},
		{"malloc@plt", "malloc@plt"},
		{"malloc@GLIBC_2.2.5", "malloc"},
		{"memcpy@@GLIBC_2.14", "memcpy"},
		{"memcpy@GLIBC_2.14@plt", "memcpy@plt"},
		{"__memcpy_avx_unaligned_erms", "__memcpy_avx_unaligned_erms"},
		{"foo.part.0", "foo"},
		{"foo.constprop.0.isra.1", "foo"},
		{"foo.lto_priv.0", "foo.lto_priv.0"},
		{"memcpy.resolver", "memcpy.resolver"},
		{"hash.avx2", "hash.avx2"},
		{"buf.1234", "buf.1234"},
		{"swapper idle", "swapper idle"},
		{"GC Thread#0", "GC Thread#0"},
		{"unknown", "unknown"},
		{"[unknown]", "[unknown]"},
		{"@foo", "@foo"},
		{"", ""},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(kernel)
{
	static const struct row rows[] = {
		{"entry_SYSCALL_64_after_hwframe", "entry_SYSCALL_64_after_hwframe"},
		{"__x64_sys_read", "__x64_sys_read"},
		{"vfs_read_[k]", "vfs_read"},
		{"finish_task_switch.isra.0", "finish_task_switch"},
		{"asm_sysvec_apic_timer_interrupt", "asm_sysvec_apic_timer_interrupt"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(cpp)
{
	static const struct row rows[] = {
		{"operator new(unsigned long)", "operator new"},
		{"operator new(unsigned long)@plt", "operator new@plt"},
		{"operator delete[](void*)", "operator delete[]"},
		{"operator delete(void*, unsigned long)", "operator delete"},
		{"operator+(A, B)", "operator+"},
		{"std::vector<int, std::allocator<int> >::push_back(int const&)",
		 "std::vector::push_back"},
		{"void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int> "
		 ">, "
		 "long>(int*, int*, long)",
		 "std::__introsort_loop"},
		{"std::basic_ostream<char, std::char_traits<char> >& std::operator<< "
		 "<std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, "
		 "char const*)",
		 "std::operator<<"},
		{"bool operator< <int>(A<int> const&, A<int> const&)", "operator<"},
		{"std::__cxx11::basic_string<char>::_M_create[abi:cxx11](unsigned long&, unsigned "
		 "long)",
		 "std::__cxx11::basic_string::_M_create"},
		{"foo(int) const", "foo"},
		{"foo::bar() const::{lambda(int)#1}::operator()(int) const",
		 "foo::bar::{lambda}::operator()"},
		{"foo()::$_0::operator()(int) const", "foo::$_0::operator()"},
		{"foo()::'lambda0'(int)::operator()(int) const", "foo::{lambda}::operator()"},
		{"(anonymous namespace)::foo(int)", "(anonymous namespace)::foo"},
		{"ns::(anonymous namespace)::C::f() const &", "ns::(anonymous namespace)::C::f"},
		{"std::function<void (std::vector<int>)>::operator()(std::vector<int>) const",
		 "std::function::operator()"},
		{"foo::operator bool() const", "foo::operator T"},
		{"foo::operator std::string<char>() const", "foo::operator T"},
		{"Foo::operator->() const", "Foo::operator->"},
		{"Foo::operator<=>(Foo const&) const", "Foo::operator<=>"},
		{"Foo::operator[](int)", "Foo::operator[]"},
		{"Foo::operator new[](unsigned long)", "Foo::operator new[]"},
		{"Foo::operators(int)", "Foo::operators"},
		{"std::enable_if<(1 > 0), int>::type f<int>(int)", "f"},
		{"std::enable_if<((1)<(2)), int>::type g<int>(int)", "g"},
		{"decltype(auto) g<int>(int)", "g"},
		{"non-virtual thunk to Foo::bar()", "Foo::bar"},
		{"Foo::~Foo()", "Foo::~Foo"},
		{"Foo<int>::Foo(Foo<int>&&)", "Foo::Foo"},
		{"unsigned long foo<int>(int)", "foo"},
		{"foo(void (*)(int), A<B>)", "foo"},
		{"Foo::bar(int) [clone .cold]", "Foo::bar"},
		{"Copyright::check() const", "Copyright::check"},
		{"std::copy", "std::copy"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(rust)
{
	static const struct row rows[] = {
		{"<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
		 "core::ops::drop::Drop::drop"},
		{"<alloc::string::String>::push_str", "alloc::string::String::push_str"},
		{"<&mut W as core::fmt::Write>::write_str", "core::fmt::Write::write_str"},
		{"<dyn core::any::Any + Send>::type_id", "core::any::Any::type_id"},
		{"<<T as A>::B as C>::f", "C::f"},
		{"<<T as A>::B>::f", "A::B::f"},
		{"<[T] as core::slice::cmp::SlicePartialEq<T>>::equal",
		 "core::slice::cmp::SlicePartialEq::equal"},
		{"core::slice::<impl [T]>::sort", "core::slice::sort"},
		{"alloc::vec::Vec<T>::push", "alloc::vec::Vec::push"},
		{"core::mem::swap::<u8>", "core::mem::swap"},
		{"core::ops::function::FnOnce::call_once::h0123456789abcdef",
		 "core::ops::function::FnOnce::call_once"},
		{"foo::{{closure}}", "foo::{closure}"},
		{"foo::{closure#0}::bar", "foo::{closure}::bar"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(go)
{
	static const struct row rows[] = {
		{"runtime.mallocgc", "runtime::mallocgc"},
		{"runtime.(*mheap).alloc", "runtime::(*mheap)::alloc"},
		{"net/http.(*conn).serve", "net::http::(*conn)::serve"},
		{"net/http.HandlerFunc.ServeHTTP", "net::http::HandlerFunc::ServeHTTP"},
		{"github.com/a/b.(*T).Method-fm", "github::com::a::b::(*T)::Method"},
		{"main.main.func1.2", "main::main::func1::2"},
		{"main.glob..func1", "main::glob::func1"},
		{"slices.SortFunc[go.shape.int]", "slices::SortFunc"},
		{"runtime.memmove.abi0", "runtime::memmove"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(java_and_dotnet)
{
	static const struct row rows[] = {
		{"java/util/HashMap.getNode", "java::util::HashMap::getNode"},
		{"java.util.HashMap::getNode", "java::util::HashMap::getNode"},
		{"Ljava/util/HashMap;::getNode", "java::util::HashMap::getNode"},
		{"int java.util.HashMap.hash(java.lang.Object)", "java::util::HashMap::hash"},
		{"java/util/HashMap.getNode_[j]", "java::util::HashMap::getNode"},
		{"java.util.regex.Pattern$CharProperty.match",
		 "java::util::regex::Pattern$CharProperty::match"},
		{"void [System.Private.CoreLib] System.String::Concat(string,string)[Tier0]",
		 "System::String::Concat"},
		{"Lock;", "Lock;"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(python_and_javascript)
{
	static const struct row rows[] = {
		{"py::foo:/a/b.py", "py::foo"},
		{"py::Foo.bar:/a/b.py", "py::Foo::bar"},
		{"py::<module>:/x.y.py", "py::<module>"},
		{"LazyCompile:*f file.js:1:2", "js::f"},
		{"LazyCompile:~ file.js:1:2", "js::(anonymous)"},
		{"JS:^g x.js:3:4", "js::g"},
		{"Builtin:ArrayPrototypeSort", "js::Builtin::ArrayPrototypeSort"},
		{"*f /x.js", "js::f"},
		{"~f", "js::f"},
		{"~Foo()", "~Foo"},
	};

	check_all(rows, PL_COUNT(rows));
}

TEST(what_does_not_pair_stays_as_it_is)
{
	static const struct row rows[] = {
		{"<<<<", "<<<<"},
		{"((((", "(((("},
		{"a(b", "a(b"},
		{"std::vector<int", "std::vector<int"},
		{"a)b", "a)b"},
		{"f(int]", "f(int]"},
		{"<<<<<<<<<<A>>>>>>>>>>::f", "<<<<<<<<<<A>>>>>>>>>>::f"},
		{"foo{", "foo{"},
	};

	check_all(rows, PL_COUNT(rows));
	/* an unpaired '>' is an operator's, or nothing's: shown as it stands */
	check_all((const struct row[]){{"a>b", "a>b"}, {"a::", "a"}, {"::a", "a"}}, 3);
}

TEST(patterns)
{
	static const struct row rows[] = {
		{"**::push_back", "**::push_back"},
		{"runtime.gc*", "runtime::gc*"},
		{"*_spin_lock*", "*_spin_lock*"},
		{"sync.(*Mutex).Lock", "sync::(\\*Mutex)::Lock"},
		{"java.util.HashMap.*", "java::util::HashMap::*"},
		{"operator new*", "operator new*"},
		{"std::operator<<", "std::operator<<"},
		{"*@plt", "*@plt"},
		{"foo\\.bar", "foo\\.bar"},
		{"py::json.*", "py::json::*"},
		{"py::**::dumps", "py::**::dumps"},
		{"LazyCompile:*f", "js::*f"},
	};

	for (size_t i = 0; i < PL_COUNT(rows); i++) {
		struct pl_str got = names_of_pattern(&names, pl_str(rows[i].symbol));
		if (CHECK(got.p))
			CHECK_STR(shown(got).p, shown(got).n, rows[i].want);
	}
	CHECK(!names_of_pattern(&names, PL_S("foo(")).p);
	CHECK(!names_of_pattern(&names, PL_S("a<b")).p);
	CHECK(!names_of_pattern(&names, PL_S("")).p);
	CHECK(!names_of_pattern(&names, PL_S("::")).p);
}

/* Reading each of these twice as often as the last would show what is not linear: a mebibyte takes
 * some milliseconds, or forever. */
TEST(hostile_names_of_a_mebibyte)
{
	static const char *const pieces[] = {"a",  "<",	     "(",	"<>",	   "a ", " (",
					     "::", "<A as ", "a.",	".",	   "{[", "a(b)",
					     ">",  "\\",     "'lambda", " [clone "};
	struct pl_buf name = {0};

	for (size_t i = 0; i < PL_COUNT(pieces); i++) {
		pl_buf_clear(&name);
		while (name.n < 1 << 20)
			pl_buf_addz(&name, pieces[i]);
		CHECK(names_of(&names, pl_buf_str(&name)).n);
		names_of_pattern(&names, pl_buf_str(&name));
		pl_buf_addz(&name, "(");
		CHECK(names_of(&names, pl_buf_str(&name)).n);
	}
	pl_buf_free(&name);
}

int main(void)
{
	RUN(c);
	RUN(kernel);
	RUN(cpp);
	RUN(rust);
	RUN(go);
	RUN(java_and_dotnet);
	RUN(python_and_javascript);
	RUN(what_does_not_pair_stays_as_it_is);
	RUN(patterns);
	RUN(hostile_names_of_a_mebibyte);
	names_free(&names);
	return unit_done();
}
