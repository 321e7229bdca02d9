// One of the units that dwarf.bash makes its program of: -DUNIT=N. Many templates, inlined into each
// other, as C++ programs have them.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

using words = std::vector<std::string>;

template <int I> struct tag {
	std::string text = std::to_string(I);
	double weight = I;
	bool operator<(const tag &o) const
	{
		return std::tie(weight, text) < std::tie(o.weight, o.text);
	}
};

template <int I> static std::size_t use(const words &list)
{
	std::map<std::string, std::vector<tag<I>>> by_word;
	std::unordered_map<int, std::set<tag<I>>> by_size;
	for (const auto &w : list) {
		by_word[w + std::to_string(I)].push_back(tag<I>{w, double(w.size())});
		by_size[int(w.size())].insert(tag<I>{w, 1.0 * I});
	}
	std::vector<tag<I>> all;
	for (auto &p : by_word)
		all.insert(all.end(), p.second.begin(), p.second.end());
	std::sort(all.begin(), all.end());
	std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return b < a; });
	std::variant<int, std::string, tag<I>> v = all.empty() ? tag<I>{} : all.front();
	std::function<std::size_t(const tag<I> &)> f = [&](const tag<I> &t) {
		return t.text.size() + by_size.size();
	};
	std::ostringstream s;
	std::visit(
		[&](const auto &x) {
			if constexpr (std::is_same_v<std::decay_t<decltype(x)>, tag<I>>)
				s << x.text;
			else
				s << x;
		},
		v);
	auto shared = std::make_shared<std::vector<tag<I>>>(all);
	return std::accumulate(all.begin(), all.end(), s.str().size() + shared->size(),
			       [&](std::size_t n, const auto &t) { return n + f(t); });
}

template <int... I> static std::size_t each(std::integer_sequence<int, I...>, const words &list)
{
	return (use<UNIT * 1000 + I>(list) + ...);
}

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
std::size_t NAME(unit, UNIT)(const words &list)
{
	std::size_t n = each(std::make_integer_sequence<int, 12>{}, list);
	for (const auto &w : list)
		n += std::regex_match(w, std::regex("a(b|c)*" + std::to_string(UNIT)));
	return n;
}
